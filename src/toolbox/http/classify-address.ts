import { isIPv4, isIPv6 } from 'node:net';

export type AddressClass = 'public' | 'loopback' | 'metadata' | 'private';

/** Addresses at which clouds answer with credentials; some of them lie in public ranges. */
const METADATA = new Set(
  ['169.254.169.254', '169.254.170.2', '169.254.170.23', '100.100.100.200', '168.63.129.16'].concat(
    '192.0.0.192',
    'fd00:ec2:0:0:0:0:0:254',
  ),
);

/** IPv4 ranges that are not the public internet: address, prefix length. */
const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Of IPv6 only global unicast is public. That leaves out mapped and compatible IPv4, NAT64, unique local, link-local
 * and multicast by themselves; what is left are ranges inside it that carry IPv4 addresses or lead nowhere.
 */
const PRIVATE_IPV6: readonly (readonly [first: number, second: number, bits: number])[] = [
  [0x2001, 0, 23],
  [0x2001, 0xdb8, 32],
  [0x2002, 0, 16],
  [0x3ff0, 0, 12],
];

/** Anything that is not clearly public counts as private. */
export function classifyAddress(address: string): AddressClass {
  if (isIPv4(address)) return classifyIpv4(address);
  const groups = isIPv6(address) ? toGroups(address) : undefined;
  if (groups === undefined) return 'private';
  const text = groups.map((group) => group.toString(16)).join(':');
  if (METADATA.has(text)) return 'metadata';
  if (text === '0:0:0:0:0:0:0:1') return 'loopback';
  const [first = 0, second = 0] = groups;
  if (first >> 13 !== 0b001) return 'private';
  const start = first * 2 ** 16 + second;
  const isPrivate = PRIVATE_IPV6.some(([high, low, bits]) =>
    sharesPrefix(start, high * 2 ** 16 + low, bits),
  );
  return isPrivate ? 'private' : 'public';
}

function classifyIpv4(address: string): AddressClass {
  if (METADATA.has(address)) return 'metadata';
  const value = toNumber(address);
  if (sharesPrefix(value, toNumber('127.0.0.0'), 8)) return 'loopback';
  const isPrivate = PRIVATE_IPV4.some(([base, bits]) => sharesPrefix(value, toNumber(base), bits));
  return isPrivate ? 'private' : 'public';
}

function sharesPrefix(a: number, b: number, bits: number): boolean {
  return Math.floor(a / 2 ** (32 - bits)) === Math.floor(b / 2 ** (32 - bits));
}

function toNumber(address: string): number {
  return address.split('.').reduce((value, octet) => value * 256 + Number(octet), 0);
}

function toGroups(address: string): readonly number[] {
  const bare = address.split('%')[0] ?? '';
  const hex = bare.replace(/\d+\.\d+\.\d+\.\d+$/, (ipv4) => {
    const value = toNumber(ipv4);
    return `${Math.floor(value / 2 ** 16).toString(16)}:${(value % 2 ** 16).toString(16)}`;
  });
  const [head = '', tail] = hex.split('::');
  const before = toParts(head);
  const after = toParts(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return tail === undefined ? before : [...before, ...zeros, ...after];
}

function toParts(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
