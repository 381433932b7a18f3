import { createHash } from 'node:crypto';

/** What the pages may do: nothing that is not served from here, no inline script, no inline style. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Beside the headers that all answers have. */
export const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(self), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
} as const;

const STYLE =
  'body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 2rem 1rem; }';

export const NOT_BUILT_POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const NOT_BUILT_PAGE = [
  '<!doctype html><html lang="en"><head><meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  `<title>Pincer</title><style>${STYLE}</style></head><body>`,
  '<h1>Pincer</h1>',
  '<p>The server runs, but the pages of its dashboard were not built. Run <code>npm ci</code> and',
  '<code>npm run build</code> in the folder of its sources, then load this page again.</p>',
  '<p>Meanwhile <code>claw</code> does in a terminal what the pages would do, and <a href="/docs">/docs</a> describes',
  'the interface.</p>',
  '</body></html>',
].join('\n');
