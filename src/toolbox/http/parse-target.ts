import { RuntimeError } from '../../core/errors.ts';
import { httpDenied } from './http-errors.ts';

export interface Target {
  readonly url: URL;
  /** Small letters, no brackets, no dot at the end: the form in which names are compared and looked up. */
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

const MAX_URL_CHARS = 8_192;

/** Distrusts a URL. What the parser would quietly drop or turn into something else is refused. */
export function parseTarget(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const host = url === undefined ? '' : bareHost(url.hostname);
  const problem = findProblem(text, url);
  if (url === undefined || problem !== undefined || host === '') {
    throw httpDenied(
      host || 'an invalid URL',
      'ssrf_block.invalid_url',
      problem ?? 'it has no host',
    );
  }
  const isSecure = url.protocol === 'https:';
  return { url, host, isSecure, port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port) };
}

function findProblem(text: string, url: URL | undefined): string | undefined {
  if (text.length > MAX_URL_CHARS) return `it is longer than ${MAX_URL_CHARS} characters`;
  if (/[\p{Cc}\p{Cs}\s\\]/u.test(text)) return 'it has control characters, spaces or backslashes';
  if (url === undefined) return 'it does not parse';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'it is not http or https';
  // Also an empty one: `http://@host` and `http://a@b` read differently to different programs.
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined || authority === '') return 'it is not absolute';
  if (authority.includes('@') || url.username !== '' || url.password !== '') {
    return 'it carries a user name';
  }
  if (authority.includes('%')) return 'its host is encoded';
  return undefined;
}

export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/** One entry of `network.allowed_domains`: a host with all below it, at any port or at one. */
export interface HostRule {
  readonly host: string;
  readonly port: number | undefined;
}

const ENTRY =
  /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:\*?\.)?(\[[0-9a-f:.]+\]|[^/?#:\s@]+)(?::(\d{1,5}))?(?:[/?#].*)?$/i;

/** Reads `example.com`, `*.example.com`, `.example.com`, `https://example.com/x`, `example.com:8443` and `*`. */
export function parseHostRules(entries: readonly string[]): readonly HostRule[] {
  return entries.map((entry) => {
    const [, name, port] = ENTRY.exec(entry.trim()) ?? [];
    if (name === '*') return { host: '*', port: port === undefined ? undefined : Number(port) };
    if (name === undefined || !URL.canParse(`http://${name}`)) {
      throw new RuntimeError('config_invalid', `network.allowed_domains: ${entry} is not a host`);
    }
    // The parser gives the form that requests have too: punycode, small letters, plain IPv4.
    const host = bareHost(new URL(`http://${name}`).hostname);
    return { host, port: port === undefined ? undefined : Number(port) };
  });
}

/** Ports of mail, shells, databases and the like: speaking HTTP to them is a known way to make them act. */
const FOREIGN_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665,
  6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211,
]);

export function assertAllowed(
  target: Target,
  rules: readonly HostRule[],
  allowLocalhosts: boolean,
): void {
  const { host, port } = target;
  const isNamedPort = rules.some((rule) => rule.port === port && matchesHost(rule, host));
  if (!isListed(target, rules) && !(allowLocalhosts && isLocalName(host))) {
    throw httpDenied(host, 'ssrf_block.host_not_allowed');
  }
  if (FOREIGN_PORTS.has(port) && !isNamedPort) {
    throw httpDenied(host, 'ssrf_block.port_not_allowed', String(port));
  }
}

/** Whether a rule names the host, with this port or with any. */
export function isListed({ host, port }: Target, rules: readonly HostRule[]): boolean {
  return rules.some(
    (rule) => matchesHost(rule, host) && (rule.port === undefined || rule.port === port),
  );
}

function matchesHost(rule: HostRule, host: string): boolean {
  return rule.host === '*' || host === rule.host || (!isIp(host) && host.endsWith(`.${rule.host}`));
}

function isIp(host: string): boolean {
  return host.includes(':') || /^[\d.]+$/.test(host);
}

function isLocalName(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127\.[\d.]+$/.test(host)
  );
}
