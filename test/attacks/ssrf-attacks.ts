import type { JsonObject } from '../../src/core/json.ts';

/** A URL, why it is refused, and whatever else is sent. `{port}` stands for the trap's. */
export type SsrfAttack = readonly [url: string, reason: string, rest?: JsonObject];

const PRIVATE = 'ssrf_block.private_address';
const METADATA = 'ssrf_block.metadata_endpoint';
const INVALID = 'ssrf_block.invalid_url';
const NOT_LISTED = 'ssrf_block.host_not_allowed';
const PORT = 'ssrf_block.port_not_allowed';

/** For a careless operator, who has listed every host: the addresses are all that is left to go by. */
export const ADDRESS_ATTACKS: readonly SsrfAttack[] = [
  // loopback in its many spellings
  ['http://127.0.0.1:{port}/', PRIVATE],
  ['http://127.1:{port}/', PRIVATE],
  ['http://2130706433:{port}/', PRIVATE],
  ['http://0x7f000001:{port}/', PRIVATE],
  ['http://0x7f.0.0.1:{port}/', PRIVATE],
  ['http://0177.0.0.1:{port}/', PRIVATE],
  ['http://017700000001:{port}/', PRIVATE],
  ['http://127.0.0.1.:{port}/', PRIVATE],
  ['http://127。0。0。1:{port}/', PRIVATE],
  ['http://①②⑦.0.0.1:{port}/', PRIVATE],
  ['http://127.255.255.254:{port}/', PRIVATE],
  ['http://localhost:{port}/', PRIVATE],
  ['http://localhost.:{port}/', PRIVATE],
  ['http://LOCALHOST:{port}/', PRIVATE],
  ['http://ⓛocalhost:{port}/', PRIVATE],
  ['https://localhost:{port}/', PRIVATE],
  ['http://0:{port}/', PRIVATE],
  ['http://0.0.0.0:{port}/', PRIVATE],
  ['http://[::1]:{port}/', PRIVATE],
  ['http://[::]:{port}/', PRIVATE],
  ['http://[0:0:0:0:0:0:0:1]:{port}/', PRIVATE],
  ['http://[::ffff:127.0.0.1]:{port}/', PRIVATE],
  ['http://[::ffff:7f00:1]:{port}/', PRIVATE],
  ['http://[::127.0.0.1]:{port}/', PRIVATE],
  ['http://[64:ff9b::7f00:1]:{port}/', PRIVATE],
  ['http://[2002:7f00:1::]:{port}/', PRIVATE],
  ['http://127.0.0.1:{port}/', PRIVATE, { method: 'POST', body: 'x' }],
  ['http://127.0.0.1:{port}/', PRIVATE, { headers: { 'X-Forwarded-Host': 'partner.example' } }],
  // networks that are not the internet
  ['http://10.0.0.1/', PRIVATE],
  ['http://172.16.0.1/', PRIVATE],
  ['http://192.168.0.1/', PRIVATE],
  ['http://100.64.0.1/', PRIVATE],
  ['http://169.254.0.1/', PRIVATE],
  ['http://[fc00::1]/', PRIVATE],
  ['http://[fe80::1]/', PRIVATE],
  ['http://[::ffff:10.0.0.1]/', PRIVATE],
  // metadata services
  ['http://169.254.169.254/latest/meta-data/iam/', METADATA],
  ['http://2852039166/', METADATA],
  ['http://0xa9fea9fe/', METADATA],
  ['http://0251.0376.0251.0376/', METADATA],
  ['http://[fd00:ec2::254]/', METADATA],
  ['http://100.100.100.200/', METADATA],
  // URLs that are not what they seem
  ['http://partner.example@127.0.0.1:{port}/', INVALID],
  ['http://user:word@partner.example/', INVALID],
  ['http://@partner.example/', INVALID],
  ['http://partner.example\\@127.0.0.1:{port}/', INVALID],
  ['http://%31%32%37.0.0.1:{port}/', INVALID],
  ['http://partner.example\0.127.0.0.1/', INVALID],
  ['http://127.0.0.1:{port}/\r\nHost: partner.example', INVALID],
  ['file:///etc/passwd', INVALID],
  ['ftp://127.0.0.1:{port}/', INVALID],
  ['gopher://127.0.0.1:{port}/_GET', INVALID],
  ['data:text/plain,hi', INVALID],
  ['ws://127.0.0.1:{port}/', INVALID],
  ['//127.0.0.1:{port}/', INVALID],
  ['http:127.0.0.1:{port}', INVALID],
];

/** For an operator who lets agents reach services on this machine and two hosts, one of them a private mistake. */
export const LISTED_ATTACKS: readonly SsrfAttack[] = [
  ['http://other.example:{port}/', NOT_LISTED],
  ['http://partner.example.other.test/', NOT_LISTED],
  ['http://notpartner.example/', NOT_LISTED],
  ['http://10.0.0.1/', NOT_LISTED],
  ['http://192.168.0.1/', NOT_LISTED],
  ['http://169.254.169.254/', NOT_LISTED],
  ['http://0.0.0.0:{port}/', NOT_LISTED],
  ['http://[::ffff:127.0.0.1]:{port}/', NOT_LISTED],
  ['http://localhost.other.test:{port}/', NOT_LISTED],
  ['http://10.1.2.3/', PRIVATE],
  ['http://partner.example:25/', PORT],
  ['http://127.0.0.1:6379/', PORT],
  ['http://localhost:22/', PORT],
];

/** Where an allowed server sends its caller: the first request arrives, and nothing after it. */
export const REDIRECT_ATTACKS: readonly SsrfAttack[] = [
  ['http://10.0.0.1/', NOT_LISTED],
  ['http://10.1.2.3/', PRIVATE],
  ['http://169.254.169.254/latest/meta-data/', NOT_LISTED],
  ['http://0.0.0.0:{port}/', NOT_LISTED],
  ['http://[::ffff:127.0.0.1]:{port}/', NOT_LISTED],
  ['http://other.example/', NOT_LISTED],
  ['//other.example/', NOT_LISTED],
  ['http://127.0.0.1:6379/', PORT],
  ['http://user@127.0.0.1:{port}/', INVALID],
  ['file:///etc/passwd', INVALID],
  ['ftp://127.0.0.1:{port}/', INVALID],
  ['\\\\127.0.0.1:{port}\\x', 'ssrf_block.redirect_invalid_location'],
  ['http://[', 'ssrf_block.redirect_invalid_location'],
  ['', 'ssrf_block.redirect_missing_location'],
];
