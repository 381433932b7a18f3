/** Shorter ones can be tried out, one after the other, within the rate limit and some patience. */
export const MIN_TOKEN_CHARS = 16;
/** `aaaaaaaaaaaaaaaa` is long and no secret. */
const MIN_DISTINCT_CHARS = 6;

/** Out of examples and tutorials: the first that anybody tries. */
const KNOWN_TOKENS: ReadonlySet<string> = new Set([
  'admin',
  'bearer',
  'changeme',
  'change-me',
  'default',
  'dev',
  'dev-token',
  'openclawssy',
  'password',
  'pincer',
  'secret',
  'test',
  'test-token',
  'token',
]);

/** Everybody knows it, it can be tried out, or it is made of too few characters. */
export type TokenWeakness = 'known' | 'short' | 'monotonous';

/** Why a bearer token could be guessed; undefined for one that could not. */
export function findTokenWeakness(token: string): TokenWeakness | undefined {
  if (KNOWN_TOKENS.has(token.toLowerCase())) return 'known';
  if (token.length < MIN_TOKEN_CHARS) return 'short';
  return new Set(token).size < MIN_DISTINCT_CHARS ? 'monotonous' : undefined;
}
