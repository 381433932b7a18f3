import { createHash } from 'node:crypto';

const STYLE =
  'body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 2rem 1rem; }';

/** No script, and one style sheet, allowed by its hash. */
export const WELCOME_POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const SIGN_IN = 'Authorization: Bearer TOKEN; the server said where its token is when it started';

/** What anybody may know: where things are, and that a token is needed. */
export const WELCOME = {
  service: 'pincer',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/healthz',
  api: '/v1',
  sign_in: SIGN_IN,
} as const;

export const WELCOME_PAGE = [
  '<!doctype html><html lang="en"><head><meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  `<title>Pincer</title><style>${STYLE}</style></head><body>`,
  '<h1>Pincer</h1>',
  '<p>An agent runtime answers here. To talk with an agent, run <code>claw</code> in a terminal, in the folder that the',
  'server was started in; <code>claw help</code> lists what else it does.</p>',
  '<p><a href="/docs">/docs</a> describes the interface. Your browser asks for a password: any user name, and the token',
  'of the server, which said where it is when it started.</p>',
  '</body></html>',
].join('\n');
