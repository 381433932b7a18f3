import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openAdminServer } from '../admin/test-admin-server.ts';
import { refusal } from './browser.ts';

const INDEX = '<!doctype html><title>Pincer</title>';
const SCRIPT = 'console.log("a page")';
const ANONYMOUS = { anonymous: true };
const FOR_EVER = 'public, max-age=31536000, immutable';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
  "connect-src 'self'; media-src 'self' blob:; worker-src 'self'; manifest-src 'self'; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'";

async function openBuilt() {
  const server = await openAdminServer();
  await build(server.pagesFolder, 'main-abc123.js');
  return server;
}

async function build(folder: string, script: string): Promise<void> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'assets', script), SCRIPT);
  await writeFile(join(folder, 'assets', `${script}.br`), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets', `${script}.gz`), gzipSync(SCRIPT));
  await writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'index.html'), INDEX);
}

test.each(['/dashboard/', '/dashboard/runs/run_1', '/dashboard/chat?session=x'])(
  '%s is the page, which knows what to show',
  async (path) => {
    const server = await openBuilt();

    const answer = await server.call(path, ANONYMOUS);

    expect([answer.status, answer.text]).toEqual([200, INDEX]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': POLICY,
      'permissions-policy':
        'camera=(), display-capture=(), geolocation=(), microphone=(self), payment=(), usb=()',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      vary: 'accept-encoding',
    });
    expect(POLICY).not.toContain('unsafe');
  },
);

test('/dashboard leads to the page', async () => {
  const server = await openBuilt();

  const answer = await server.call('/dashboard', ANONYMOUS);

  expect([answer.status, answer.headers.location]).toEqual([302, '/dashboard/']);
});

test('a page that did not change is not sent again', async () => {
  const server = await openBuilt();
  const { etag } = (await server.call('/dashboard/', ANONYMOUS)).headers;

  const answer = await server.call('/dashboard/', {
    ...ANONYMOUS,
    headers: { 'if-none-match': etag },
  });

  expect([answer.status, answer.text]).toEqual([304, '']);
  expect(answer.headers['cache-control']).toBe('no-cache');
});

test.each([
  ['br, gzip', 'br', brotliCompressSync(SCRIPT).length],
  ['gzip', 'gzip', gzipSync(SCRIPT).length],
  ['identity', undefined, SCRIPT.length],
])(
  'a hashed file is kept for ever, compressed as the caller takes it: %s',
  async (accepted, encoding, bytes) => {
    const server = await openBuilt();
    const headers = { 'accept-encoding': accepted };

    const answer = await server.call('/dashboard/assets/main-abc123.js', { ...ANONYMOUS, headers });
    const head = await server.call('/dashboard/assets/main-abc123.js', {
      ...ANONYMOUS,
      ...{ headers, method: 'HEAD' },
    });

    expect(answer.status).toBe(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers).toMatchObject({
      'content-length': String(bytes),
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': FOR_EVER,
      vary: 'accept-encoding',
    });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(bytes),
    ]);
  },
);

test('a file beside the page is sent as what it is', async () => {
  const server = await openBuilt();

  const answer = await server.call('/dashboard/icon.svg', ANONYMOUS);

  expect([answer.status, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
    200,
    'image/svg+xml; charset=utf-8',
    'no-cache',
  ]);
});

test.each([
  '/dashboard/assets/gone.js',
  '/dashboard/assets/',
  '/dashboard/assets/main-abc123.js.br',
  '/dashboard/assets/..%2f..%2fpincer.db',
  '/dashboard/assets/%2e%2e/%2e%2e/pincer.db',
])('there is no file %s', async (path) => {
  const server = await openBuilt();

  const answer = await server.call(path, ANONYMOUS);

  expect([answer.status, answer.body]).toEqual([
    404,
    refusal(`there is no file ${path}`, 'file.not_found'),
  ]);
});

test.each([
  '/dashboard/../pincer.db',
  '/dashboard/..%2fpincer.db',
  '/dashboard/%2e%2e%5cpincer.db',
  '/dashboard/pincer.db%00.html',
])('nothing beside the pages is reached by %s', async (path) => {
  const server = await openBuilt();

  const answer = await server.call(path, ANONYMOUS);

  expect(answer.text).not.toContain('SQLite');
  expect([200, 400, 404]).toContain(answer.status);
  if (answer.status === 200) expect(answer.text).toBe(INDEX);
});

test('says how to build the pages where nobody has, and finds them when somebody does', async () => {
  const server = await openAdminServer();

  const before = await server.call('/dashboard/', ANONYMOUS);
  await build(server.pagesFolder, 'main-abc123.js');
  const after = await server.call('/dashboard/', ANONYMOUS);
  const script = await server.call('/dashboard/assets/main-abc123.js', ANONYMOUS);

  expect([before.status, before.headers['content-type']]).toEqual([
    503,
    'text/html; charset=utf-8',
  ]);
  expect(before.text).toContain('<code>npm run build</code>');
  expect(before.headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect([after.status, after.text, script.status]).toEqual([200, INDEX, 200]);
});

test('serves the files of a new build from the first page on', async () => {
  const server = await openBuilt();
  await server.call('/dashboard/', ANONYMOUS);
  await build(server.pagesFolder, 'main-def456.js');
  await utimes(join(server.pagesFolder, 'index.html'), new Date(), new Date(Date.now() + 5000));

  const page = await server.call('/dashboard/', ANONYMOUS);
  const script = await server.call('/dashboard/assets/main-def456.js', ANONYMOUS);

  expect([page.status, script.status]).toEqual([200, 200]);
});

test('other methods are refused', async () => {
  const server = await openBuilt();

  const posted = await server.post('/dashboard/runs', {}, ANONYMOUS);
  const put = await server.call('/dashboard/session', { ...ANONYMOUS, method: 'PUT' });

  expect([posted.status, put.status]).toEqual([405, 405]);
});
