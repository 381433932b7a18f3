import { afterAll, beforeAll, expect, test } from 'vitest';
import { denialOf, openTestInternet, PUBLIC, type TestInternet } from './test-internet.ts';

let internet: TestInternet;

beforeAll(async () => {
  const location = (url: string) => new URLSearchParams(url.split('?')[1]).get('to');
  internet = await openTestInternet(
    {
      'site.example': [[PUBLIC]],
      'other.example': [[PUBLIC]],
      'rebind.example': [[PUBLIC], ['127.0.0.1']],
      'mixed.example': [[PUBLIC, '10.0.0.1']],
      'inside.example': [['192.168.1.1']],
      'v6.example': [['fd12::1']],
      'mapped.example': [['::ffff:10.0.0.1']],
      'zone.example': [['fe80::1%eth0']],
      'empty.example': [[]],
      'garbage.example': [['not an address']],
      'meta.example': [['169.254.169.254']],
      'loop.example': [['127.0.0.1']],
      localhost: [['127.0.0.1']],
      'metadata.google.internal': [['169.254.169.254']],
    },
    ({ url }, response) => {
      const to = location(url);
      if (to !== null) response.writeHead(302, to === '' ? {} : { location: to });
      response.end('reached');
    },
  );
});

afterAll(() => internet.close());

const PRIVATE = 'ssrf_block.private_address';
const METADATA = 'ssrf_block.metadata_endpoint';
const INVALID = 'ssrf_block.invalid_url';

test.each([
  // loopback and its many spellings
  ['http://127.0.0.1/', PRIVATE],
  ['http://127.1/', PRIVATE],
  ['http://127.0.1/', PRIVATE],
  ['http://2130706433/', PRIVATE],
  ['http://0x7f000001/', PRIVATE],
  ['http://0x7f.0.0.1/', PRIVATE],
  ['http://0177.0.0.1/', PRIVATE],
  ['http://017700000001/', PRIVATE],
  ['http://127.0.0.1./', PRIVATE],
  ['http://127。0。0。1/', PRIVATE],
  ['http://①②⑦.0.0.1/', PRIVATE],
  ['http://localhost/', PRIVATE],
  ['http://localhost./', PRIVATE],
  ['http://LOCALHOST/', PRIVATE],
  ['http://ⓛocalhost/', PRIVATE],
  ['http://[::1]/', PRIVATE],
  ['http://[0:0:0:0:0:0:0:1]/', PRIVATE],
  ['http://[::ffff:127.0.0.1]/', PRIVATE],
  ['http://[::ffff:7f00:1]/', PRIVATE],
  ['http://[::127.0.0.1]/', PRIVATE],
  ['http://[64:ff9b::7f00:1]/', PRIVATE],
  ['http://[64:ff9b:1::1]/', PRIVATE],
  ['http://[2002:7f00:1::]/', PRIVATE],
  ['http://[2001::1]/', PRIVATE],
  ['http://0/', PRIVATE],
  ['http://0.0.0.0/', PRIVATE],
  ['http://[::]/', PRIVATE],
  // networks that are not the internet
  ['http://10.0.0.1/', PRIVATE],
  ['http://172.16.0.1/', PRIVATE],
  ['http://172.31.255.255/', PRIVATE],
  ['http://192.168.0.1/', PRIVATE],
  ['http://100.64.0.1/', PRIVATE],
  ['http://169.254.0.1/', PRIVATE],
  ['http://198.18.0.1/', PRIVATE],
  ['http://192.0.2.1/', PRIVATE],
  ['http://224.0.0.1/', PRIVATE],
  ['http://255.255.255.255/', PRIVATE],
  ['http://[fc00::1]/', PRIVATE],
  ['http://[fd00::1]/', PRIVATE],
  ['http://[fe80::1]/', PRIVATE],
  ['http://[ff02::1]/', PRIVATE],
  ['http://[2001:db8::1]/', PRIVATE],
  // metadata services
  ['http://169.254.169.254/latest/meta-data/', METADATA],
  ['http://2852039166/', METADATA],
  ['http://0xa9fea9fe/', METADATA],
  ['http://[fd00:ec2::254]/', METADATA],
  ['http://100.100.100.200/', METADATA],
  ['http://168.63.129.16/', METADATA],
  ['http://metadata.google.internal/', METADATA],
  ['http://meta.example/', METADATA],
  // names that lead inside
  ['http://inside.example/', PRIVATE],
  ['http://v6.example/', PRIVATE],
  ['http://mapped.example/', PRIVATE],
  ['http://zone.example/', PRIVATE],
  ['http://mixed.example/', PRIVATE],
  ['http://loop.example/', PRIVATE],
  ['http://garbage.example/', PRIVATE],
  // URLs that are not what they seem
  ['http://user@site.example/', INVALID],
  ['http://user:pass@site.example/', INVALID],
  ['http://@site.example/', INVALID],
  ['http://site.example@127.0.0.1/', INVALID],
  ['http://site.example%00.evil/', INVALID],
  ['http://site.example\0/', INVALID],
  ['http://site.example/a\0b', INVALID],
  ['http://site.example/a\r\nHost: evil', INVALID],
  ['http://site.example/a b', INVALID],
  ['http://site.example\\@127.0.0.1/', INVALID],
  ['ht\ntp://site.example/', INVALID],
  ['http://%31%32%37.0.0.1/', INVALID],
  ['file:///etc/passwd', INVALID],
  ['ftp://site.example/', INVALID],
  ['gopher://site.example/', INVALID],
  ['data:text/plain,hi', INVALID],
  ['javascript:alert(1)', INVALID],
  ['//site.example/', INVALID],
  ['site.example', INVALID],
  ['http:site.example', INVALID],
  ['http:///site.example', INVALID],
  ['http:///user@site.example', INVALID],
  ['', INVALID],
  ['http://[::1', INVALID],
  ['http://site.example:99999/', INVALID],
  [`http://site.example/${'a'.repeat(9_000)}`, INVALID],
  // other protocols' ports
  ['http://site.example:25/', 'ssrf_block.port_not_allowed'],
  ['http://site.example:6379/', 'ssrf_block.port_not_allowed'],
  // names without an address
  ['http://empty.example/', 'tool_failed: ssrf_block.dns_resolution_failed'],
  ['http://unknown.example/', 'tool_failed: ssrf_block.dns_resolution_failed'],
])('refuses %j', async (url, reason) => {
  const before = internet.connections.length;

  expect(await denialOf(internet.call({ url }))).toBe(reason);
  expect(internet.connections.length).toBe(before);
});

test.each([
  ['http://127.0.0.1:80/', PRIVATE],
  ['http://169.254.169.254/', METADATA],
  ['http://inside.example/', PRIVATE],
  ['//10.0.0.1/x', PRIVATE],
  ['http://user@site.example/', INVALID],
  ['ftp://site.example/', INVALID],
  ['http://site.example:22/', 'ssrf_block.port_not_allowed'],
  ['http://not-listed.test/', 'ssrf_block.host_not_allowed'],
  ['http://[', 'ssrf_block.redirect_invalid_location'],
  ['\\\\10.0.0.1\\x', 'ssrf_block.redirect_invalid_location'],
  ['', 'ssrf_block.redirect_missing_location'],
])('refuses a redirect to %j', async (to, reason) => {
  const url = `http://site.example/?to=${encodeURIComponent(to)}`;
  const allowedDomains = ['example', '127.0.0.1', '10.0.0.1', '169.254.169.254'];

  const before = internet.connections.length;
  expect(await denialOf(internet.call({ url }, { allowedDomains }))).toBe(reason);
  expect(internet.connections.length).toBe(before + 1);
});

test('refuses a name that resolves to a public address first and to a private one on the redirect', async () => {
  const url = `http://rebind.example/?to=${encodeURIComponent('http://rebind.example/again')}`;

  expect(await denialOf(internet.call({ url }))).toBe(PRIVATE);
});

test('connects to the address that was checked, and asks for the name only once', async () => {
  const before = internet.connections.length;

  await internet.call({ url: 'http://site.example:8080/page?q=1' });

  expect(internet.connections.slice(before)).toEqual([
    { address: PUBLIC, port: 8080, tlsName: undefined },
  ]);
  expect(internet.seen.at(-1)).toMatchObject({
    method: 'GET',
    url: '/page?q=1',
    headers: { host: 'site.example:8080' },
  });
});

test('follows five redirects and not a sixth', async () => {
  const chain = (length: number): string => {
    if (length === 0) return 'http://site.example/end';
    return `http://site.example/?to=${encodeURIComponent(chain(length - 1))}`;
  };

  expect(await internet.call({ url: chain(5) })).toMatchObject({
    status: 200,
    body: 'reached',
    url: 'http://site.example/end',
  });
  expect(await denialOf(internet.call({ url: chain(6) }))).toBe(
    'ssrf_block.redirect_limit_exceeded',
  );
});

test('opens loopback, and nothing else, with allow_localhosts', async () => {
  const config = { allowedDomains: ['example'], allowLocalhosts: true };
  const reasons = [];
  for (const url of [
    'http://127.0.0.1/',
    'http://localhost./',
    'http://[::1]/',
    'http://loop.example/',
    'http://10.0.0.1/',
    'http://inside.example/',
    'http://169.254.169.254/',
    'http://[::ffff:127.0.0.1]/',
  ]) {
    reasons.push(await denialOf(internet.call({ url }, config)));
  }

  const no = 'not denied';
  const unlisted = 'ssrf_block.host_not_allowed';
  expect(reasons).toEqual([no, no, no, no, unlisted, PRIVATE, unlisted, unlisted]);
});

test('allows the hosts in the list with all below them, at the port that is named', async () => {
  const allowedDomains = [
    'https://site.example/path',
    '*.other.example',
    'port.example:8443',
    'BÜCHER.example',
  ];
  const isListed = async (url: string) =>
    (await denialOf(internet.call({ url }, { allowedDomains }))) !== 'ssrf_block.host_not_allowed';

  const listed = [
    'http://site.example/',
    'http://SITE.example./',
    'http://sub.site.example/',
    'http://other.example/',
    'http://port.example:8443/',
    'http://bücher.example/',
    'http://xn--bcher-kva.example/',
  ];
  const unlisted = [
    'http://evilsite.example/',
    'http://site.example.evil.test/',
    'http://port.example/',
    'http://example/',
    `http://${PUBLIC}/`,
  ];
  expect(await Promise.all(listed.map(isListed))).toEqual(listed.map(() => true));
  expect(await Promise.all(unlisted.map(isListed))).toEqual(unlisted.map(() => false));
});

test('denies everything while the network is switched off, or without a list', async () => {
  const url = 'http://site.example/';

  expect(await denialOf(internet.call({ url }, { enabled: false }))).toBe('network_disabled');
  expect(await denialOf(internet.call({ url }, { allowedDomains: [] }))).toBe(
    'ssrf_block.host_not_allowed',
  );
});
