import { createHmac, timingSafeEqual } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** What a signed token says. Times are seconds; the four facts bind it to what the request is about. */
export interface SignatureClaims {
  readonly iat: number;
  readonly exp: number;
  readonly nonce: string;
  readonly run_id?: string;
  readonly thread_id?: string;
  readonly user_id?: number;
  readonly guest_scope?: string;
}

export interface SignatureToken {
  /** What is signed: the text of the middle part. */
  readonly payload: string;
  readonly signature: string;
  readonly claims: JsonObject;
}

/** How far the clock of a caller may be ahead of ours. */
const MAX_AHEAD_SECONDS = 30;
/** A token that lives longer is a password: its nonce would have to be kept that long. */
const MAX_LIFETIME_SECONDS = 3600;
export const TOKEN_EXPIRED = 'token expired';
const MAX_TOKEN_CHARS = 8192;
const MAX_CLAIM_CHARS = 255;
const TOKEN = /^v1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

/** `v1.<payload>.<signature>`, both parts base64url without padding. */
export function signToken(claims: SignatureClaims, secret: string): string {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `v1.${payload}.${signatureOf(payload, secret)}`;
}

/** Undefined when the text has not the shape of a token. Nothing in it can be believed yet. */
export function parseToken(text: string): SignatureToken | undefined {
  if (text.length > MAX_TOKEN_CHARS) return undefined;
  const [, payload, signature] = TOKEN.exec(text) ?? [];
  if (payload === undefined || signature === undefined) return undefined;
  const claims = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  return isJsonObject(claims) ? { payload, signature, claims } : undefined;
}

/** Takes the same time whichever byte differs. Compares texts: decoding would let several texts mean one signature. */
export function isSignedWith(token: SignatureToken, secret: string): boolean {
  const expected = Buffer.from(signatureOf(token.payload, secret));
  const given = Buffer.from(token.signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

export type CheckedClaims =
  | { readonly claims: SignatureClaims }
  | { readonly problem: string; readonly claims?: never };

export function checkClaims(given: JsonObject, nowSeconds: number): CheckedClaims {
  const claims = toClaims(given);
  if (!claims) return { problem: 'invalid token claims' };
  const { iat, exp } = claims;
  if (hasExpired(claims, nowSeconds)) return { problem: TOKEN_EXPIRED };
  if (iat > nowSeconds + MAX_AHEAD_SECONDS) return { problem: 'token issued in the future' };
  if (exp <= iat) return { problem: 'invalid token claims' };
  if (exp - iat > MAX_LIFETIME_SECONDS) {
    return { problem: `token lifetime exceeds ${MAX_LIFETIME_SECONDS} seconds` };
  }
  return { claims };
}

export function hasExpired({ exp }: SignatureClaims, nowSeconds: number): boolean {
  return exp <= nowSeconds;
}

function toClaims(given: JsonObject): SignatureClaims | undefined {
  const { iat, exp, nonce, user_id: userId } = given;
  if (!isSeconds(iat) || !isSeconds(exp) || !isName(nonce)) return undefined;
  if (!isAbsent(userId) && !Number.isSafeInteger(userId)) return undefined;
  const texts: { run_id?: string; thread_id?: string; guest_scope?: string } = {};
  for (const name of ['run_id', 'thread_id', 'guest_scope'] as const) {
    const value = given[name];
    if (isAbsent(value) || value === '') continue;
    if (!isName(value)) return undefined;
    texts[name] = value;
  }
  return { iat, exp, nonce, ...(isAbsent(userId) ? {} : { user_id: userId as number }), ...texts };
}

/** Issuers differ in whether they leave out what they have nothing to say about. */
function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function isSeconds(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_CLAIM_CHARS;
}

function signatureOf(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(payload).digest('base64url');
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
