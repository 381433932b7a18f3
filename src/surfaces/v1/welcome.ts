const SIGN_IN = 'Authorization: Bearer TOKEN; the server said where its token is when it started';

/** What anybody may know: where things are, and that a token is needed. */
export const WELCOME = {
  service: 'pincer',
  dashboard: '/dashboard/',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/healthz',
  api: '/v1',
  sign_in: SIGN_IN,
} as const;
