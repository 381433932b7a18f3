/** Shorter ones can be tried out, one after the other, within the rate limit and some patience. */
const MIN_TOKEN_CHARS = 16;
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

/** Why a bearer token could be guessed; undefined for one that could not. */
export function findTokenWeakness(token: string): string | undefined {
  if (KNOWN_TOKENS.has(token.toLowerCase())) return 'is one that everybody knows';
  if (token.length < MIN_TOKEN_CHARS) return `has fewer than ${MIN_TOKEN_CHARS} characters`;
  const distinct = new Set(token).size;
  return distinct < MIN_DISTINCT_CHARS ? `is made of ${distinct} different characters` : undefined;
}
