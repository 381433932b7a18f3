import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROGRAM } from '../../support/program.ts';
import { type ClawRoot, common, normalize, openClawRoot, runIdIn } from './claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

/** Longer than what is held back of a text that may still turn out to be a secret. */
const LONG = 'Half of it. '.repeat(20);

test('says where it listens, where the token is, what answers, and how to try it', async () => {
  const server = await root.serve();
  const banner = await server.saw('stdout', 'Ctrl-C stops it.');
  const token = join(root.path, '.openclawssy/token');

  expect(banner).toMatch(/^Pincer \d+\.\d+\.\d+ listens on http:\/\/127\.0\.0\.1:\d+\n/);
  expect(banner).toContain(`  token       ${token}\n`);
  expect(banner).toMatch(
    /\n {2}dashboard {3}http:\/\/127\.0\.0\.1:\d+\/dashboard\/#code=[\w-]{32}\n {14}signs one browser in, once/,
  );
  expect(banner).toContain('  model       offline/rules (no real model');
  expect(banner).toContain(
    `${server.url}/docs (a browser asks: any user name, and the token as the`,
  );
  const [people, machines] = [`cd ${root.path} && claw\n`, `curl -s ${server.url}/v1/runs `];
  expect(banner).toContain(`alias claw='node ${PROGRAM}'\n  ${people}`);
  expect(banner.indexOf(people)).toBeLessThan(banner.indexOf(machines));
  expect(banner).toContain(machines);
  expect(banner).toContain(`curl -N ${server.url}/v1/runs/RUN_ID/events`);
  expect((await stat(token)).mode & 0o777).toBe(0o600);
});

test('the curl that it prints works as it stands', async () => {
  const server = await root.serve();
  const banner = await server.saw('stdout', 'Ctrl-C stops it.');
  const script = /^ {2}TOKEN=[\s\S]*?"}'$/m.exec(banner)?.[0] ?? '';
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');

  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script]);

  expect(JSON.parse(stdout)).toEqual({ id: expect.stringMatching(/^run_/), status: 'queued' });
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} stops it in order, with exit code 0`, async () => {
    const server = await root.serve();

    server.child.kill(signal);
    const ended = await server.ended;

    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(ended.stderr).toMatch(/\nstopping: [^\n]+\n(.*\n)*stopped\n$/);
    await expect(readFile(join(root.path, '.openclawssy/server.json'))).rejects.toThrow('ENOENT');
  });
}

/** Five programs are started, and the first takes its whole grace to end. */
const HANGING_TIMEOUT_MS = 60_000;

test('SIGTERM during a model call that hangs ends it in under ten seconds, and the run goes on later', {
  timeout: HANGING_TIMEOUT_MS,
}, async () => {
  const server = await root.serve(await root.script([{ text: LONG, hang: true }]));
  const asking = root.start(['ask', 'think for ever', '--output-format', 'json']);
  await expect
    .poll(async () => (await root.claw(['runs', 'list'])).stdout, { timeout: 10_000 })
    .toContain('running');

  const toldAtMs = performance.now();
  server.child.kill('SIGTERM');
  const ended = await server.ended;
  const tookMs = performance.now() - toldAtMs;
  await root.serve(await root.script([{ text: 'done after all' }]));
  const answer = normalize((await asking.ended).stdout, root.path);

  expect(ended).toMatchObject({ code: 0, signal: null });
  expect(tookMs).toBeLessThan(10_000);
  expect(answer).toMatchObject({ status: 'completed', output: 'done after all' });
});

test('a second signal stops it at once; the run goes on with the next start', async () => {
  const slow = await root.script([{ text: 'done', delayMs: 4_000 }]);
  const server = await root.serve(slow);
  const asking = root.start(['ask', 'take your time', '--output-format', 'json'], slow);
  await expect
    .poll(async () => (await root.claw(['runs', 'list'])).stdout, { timeout: 10_000 })
    .toContain('running');

  server.child.kill('SIGINT');
  await server.saw('stderr', 'stopping');
  server.child.kill('SIGINT');

  expect(await server.ended).toMatchObject({ code: 130 });
  await root.serve(slow);
  const answer = normalize((await asking.ended).stdout, root.path);
  expect(answer).toMatchObject({
    exit_code: 0,
    status: 'completed',
    output: 'done',
    via: 'server',
  });
});

test('in JSON one document says that it listens, and nothing is logged', async () => {
  const server = root.start(['serve', '--port', '0', '--output-format', 'json']);
  const stdout = await server.saw('stdout', '}\n');
  await root.claw(['ask', 'what time is it?']);
  server.child.kill('SIGTERM');
  const ended = await server.ended;

  expect(ended).toEqual({ code: 0, signal: null, stdout, stderr: '' });
  expect(normalize(stdout, root.path)).toEqual({
    ...common('serve', 0),
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    pid: server.child.pid,
    root: '<root>',
    model: 'offline/rules',
    storage: 'sqlite',
    token_file: '<root>/.openclawssy/token',
    token_variable: null,
    created: expect.arrayContaining(['<root>/.openclawssy/token']),
    warnings: [],
  });
});

test('a taken port is refused, naming the flag', async () => {
  const server = await root.serve();
  const other = await openClawRoot();
  const port = new URL(server.url).port;

  const said = await other.claw(['serve', '--port', port]);
  const document = await other.claw(['serve', '--port', port, '--output-format', 'json']);
  await other.dispose();

  const message = `127.0.0.1:${port} is already in use; choose another port with --port (0 picks a free one)`;
  expect(said).toMatchObject({ code: 1, stdout: '' });
  expect(said.stderr).toContain(`error: ${message}\n`);
  expect(document).toMatchObject({ code: 1, stderr: '' });
  expect(normalize(document.stdout, other.path)).toMatchObject({
    ...common('serve', 1),
    error: { kind: 'usage', operation: 'serve', message },
  });
});

test('a second server on the same root is refused, and the first goes on', async () => {
  const server = await root.serve();

  const second = await root.claw(['serve', '--port', '0']);
  const asked = await root.claw(['ask', 'what time is it?', '--output-format', 'json']);

  expect(second).toMatchObject({ code: 1, stdout: '' });
  expect(second.stderr).toContain('error: another server uses this state root');
  expect(normalize(asked.stdout, root.path)).toMatchObject({ exit_code: 0, via: 'server' });
  expect(server.child.exitCode).toBe(null);
});

test('a port that is none is refused with the flag', async () => {
  const { code, stderr } = await root.claw(['serve', '--port', '99999']);

  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: option --port: server\.port must be at most 65535 .*\nhint: correct or unset --port\n$/,
  );
});

test('killed in the middle and started again, the run ends and its watcher misses nothing', async () => {
  const write = { toolCalls: [{ tool: 'fs.write', input: { path: 'one.txt', content: 'one' } }] };
  const script = await root.script([write, { text: LONG, hang: true }]);
  const first = await root.serve(script);
  const asking = root.start(['ask', 'write, then talk'], script);
  await asking.saw('stderr', 'fs.write ok');
  const id = runIdIn((await root.claw(['runs', 'list'])).stdout);
  const watching = root.start(['runs', 'watch', id]);
  await watching.saw('stdout', 'Half of it.');

  first.child.kill('SIGKILL');
  await first.ended;
  await root.serve(await root.script([write, { text: [LONG, LONG, 'the end'] }]));
  const [asked, watched] = [await asking.ended, await watching.ended];

  expect(asked).toMatchObject({ code: 0, stdout: `${LONG}${LONG}the end\n` });
  expect(watched.code).toBe(0);
  expect(watched.stdout).toMatch(
    /Half of it\.[\s\S]*resumed[\s\S]*Half of it\.[\s\S]*the end\n[\s\S]*completed/,
  );
  expect(watched.stdout.match(/result {5}fs\.write ok/g)).toHaveLength(1);
  expect(await root.claw(['audit', 'verify'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok: /),
  });
});
