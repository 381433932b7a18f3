import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLEAN_ENV, type ClawRoot, common, normalize, openClawRoot } from './claw.ts';

const CODE = /\/dashboard\/#code=([\w-]+)/;

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

async function signIn(url: string, code: string | undefined) {
  const answer = await fetch(`${url}/dashboard/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  return { status: answer.status, cookie };
}

async function statusWith(url: string, cookie: string): Promise<number> {
  return (await fetch(`${url}/api/admin/status`, { headers: { cookie } })).status;
}

test('the link that it prints signs in once, and a sign-in survives kill -9', async () => {
  const server = await root.serve();
  const banner = await server.saw('stdout', 'Ctrl-C stops it.');
  const [, code] = CODE.exec(banner) ?? [];

  const first = await signIn(server.url, code);
  const second = await signIn(server.url, code);
  const before = await statusWith(server.url, first.cookie);
  server.child.kill('SIGKILL');
  const { stderr } = await server.ended;
  const next = await root.serve();
  const [, nextCode] = CODE.exec(await next.saw('stdout', 'Ctrl-C stops it.')) ?? [];

  expect([first.status, second.status, before]).toEqual([200, 401, 200]);
  expect(await statusWith(next.url, first.cookie)).toBe(200);
  expect(nextCode).not.toBe(code);
  expect(stderr).toContain('signed in');
  expect(stderr).not.toContain(code);
});

test('the pages are served from the build, compressed', async () => {
  const server = await root.serve();

  const page = await fetch(`${server.url}/`, { headers: { accept: 'text/html' } });
  const html = await page.text();
  const [script = ''] = /\/dashboard\/assets\/[\w.-]+\.js/.exec(html) ?? [];
  const answer = await fetch(server.url + script, { headers: { 'accept-encoding': 'br' } });

  expect([page.status, page.url]).toEqual([200, `${server.url}/dashboard/`]);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-encoding')).toBe('br');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('claw dashboard prints a link that signs in, and opens it in the browser', async () => {
  const server = await root.serve();
  const env = await fakeBrowser(root.path);

  const printed = await root.claw(['dashboard', '--no-open']);
  const opened = await root.claw(['dashboard', '--output-format', 'json'], { env });
  const { url } = JSON.parse(opened.stdout) as { readonly url: string };

  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(printed.stdout).toContain('It signs in once, within ten minutes.');
  expect((await signIn(server.url, CODE.exec(printed.stdout)?.[1])).status).toBe(200);
  expect(normalize(opened.stdout, root.path)).toEqual({
    ...common('dashboard', 0),
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/#code=/),
    expires_at: expect.any(String),
    opened: true,
  });
  await expect.poll(() => readFile(join(root.path, 'opened'), 'utf8')).toBe(`${url}\n`);
  expect((await signIn(server.url, CODE.exec(url)?.[1])).status).toBe(200);
});

test('claw dashboard says so where there is no browser', async () => {
  await root.serve();
  const env = { PATH: join(root.path, 'nothing') };

  const { code, stdout } = await root.claw(['dashboard'], { env });

  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^No browser could be opened here\. Open this link in a browser:\n\n {2}http/,
  );
});

test('claw dashboard without a server fails with the next step', async () => {
  const said = await root.claw(['dashboard']);
  const document = await root.claw(['dashboard', '--output-format', 'json']);

  expect(said).toMatchObject({ code: 1, stdout: '' });
  expect(said.stderr).toBe(
    'error: no server is running here\nhint: start one with claw serve; it prints a link to the dashboard too\n',
  );
  expect(normalize(document.stdout, root.path)).toMatchObject({
    ...common('dashboard', 1),
    error: { kind: 'runtime', message: 'no server is running here' },
  });
});

/** An `xdg-open` that notes what it was given. */
async function fakeBrowser(path: string): Promise<{ PATH: string }> {
  const bin = join(path, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" > '${join(path, 'opened')}'\n`);
  await chmod(join(bin, 'xdg-open'), 0o755);
  return { PATH: `${bin}:${CLEAN_ENV.PATH}` };
}
