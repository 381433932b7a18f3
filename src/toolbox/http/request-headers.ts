import { isJsonObject } from '../../core/json.ts';
import { headerInvalid } from './http-errors.ts';
import { namesSecret } from './secret-references.ts';

const MAX_HEADERS = 64;
const MAX_HEADER_BYTES = 16 * 1024;

/** Headers that say how the connection is used; a caller who could set them could smuggle a second request. */
const RESERVED = new Set(
  [
    'connection content-length expect host http2-settings keep-alive proxy-authorization proxy-connection te',
    'trailer transfer-encoding upgrade',
  ]
    .join(' ')
    .split(' '),
);

/** Headers with small-letter names, each of them fit to be sent. */
export function parseHeaders(given: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {};
  let size = 0;
  for (const [given_, value] of Object.entries(given)) {
    const name = given_.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,256}$/.test(name))
      throw headerInvalid('a header name is invalid');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    if (/[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/.test(value)) {
      throw headerInvalid(`header ${name} has characters that can't be sent`);
    }
    if (RESERVED.has(name)) throw headerInvalid(`header ${name} is set by the runtime`);
    if (Object.hasOwn(headers, name)) throw headerInvalid(`header ${name} is given twice`);
    headers[name] = value;
    size += name.length + value.length;
  }
  if (Object.keys(headers).length > MAX_HEADERS || size > MAX_HEADER_BYTES) {
    throw headerInvalid(`headers must be at most ${MAX_HEADERS} and ${MAX_HEADER_BYTES} bytes`);
  }
  return headers;
}

/** The caller's key among headers that nobody has checked yet. One that is filled in later is no name to remember a call by. */
export function findIdempotencyKey(headers: unknown): string | undefined {
  if (!isJsonObject(headers)) return undefined;
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key');
  const value = entry?.[1];
  return typeof value === 'string' && !namesSecret([value]) ? value.trim() : undefined;
}

const CREDENTIAL =
  /^(?:cookie|idempotency-key)$|auth|token|secret|api-?key|session|credential|password/;

/** What another origin may see of the headers: a redirect must not carry a key to somebody else's door. */
export function withoutCredentials(
  headers: Readonly<Record<string, string>>,
  secretNames: ReadonlySet<string>,
): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => !CREDENTIAL.test(name) && !secretNames.has(name),
  );
  return Object.fromEntries(kept);
}

/** What is left when a redirect turns the request into a GET. */
export function withoutContent(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith('content-')),
  );
}
