/** What `error.kind` can be in a 2.0 document; `run_not_found` and its like beside them. */
export const ERROR_KINDS = [
  'filesystem',
  'auth',
  'session',
  'session_load_failed',
  'session_delete_failed',
  'parse',
  'runtime',
  'mcp',
  'delivery',
  'usage',
  'policy',
  'unknown',
] as const;

export const NOT_FOUND_KIND = /^[a-z][a-z_]*_not_found$/;

export function isErrorKind(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  return NOT_FOUND_KIND.test(value) || (ERROR_KINDS as readonly string[]).includes(value);
}

const LEGACY_KINDS: Readonly<Record<string, string>> = {
  parse: 'cli_parse',
  auth: 'missing_credentials',
  filesystem: 'filesystem_io_error',
  session: 'no_managed_sessions',
};

/** The kind in a 1.0 document, where what ran out of time has one too. What 1.0 has no word for keeps its 2.0 kind. */
export function toLegacyKind(kind: string | undefined): string {
  if (kind === undefined) return 'timeout';
  return LEGACY_KINDS[kind] ?? kind;
}
