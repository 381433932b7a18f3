import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { common } from './claw.ts';
import { openWay, WAYS, type WayRoot } from './ways.ts';

let at: WayRoot;

afterEach(() => at.dispose());

const COUNTS = {
  queued: 0,
  running: 0,
  waiting: 0,
  cancelling: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
};

const QUIET = {
  run_count: 0,
  counts: COUNTS,
  model: { provider: 'offline', name: 'rules' },
  version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  engine: 'sqlite',
  scheduler: { enabled: true, paused: false, jobs: 0, next: null },
  effects: { unknown: 0 },
  approvals: { pending: 0 },
  kill_switch: { on: false, reason: '', changed_at: null, by: null },
  spend_today: {
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    usd: 0,
    tokens_in: 0,
    tokens_out: 0,
  },
  warnings: [],
};

const NO_SERVER = {
  running: false,
  url: null,
  started_at: null,
  uptime_seconds: null,
  queue: null,
  circuits: { open: null },
};

test('an empty directory has no server, and stays empty', async () => {
  at = await openWay('local');

  const value = await at.document(['status']);
  const said = await at.text(['status']);

  expect(value).toEqual({ ...common('status', 0), ...NO_SERVER, ...QUIET, via: 'local' });
  expect(said).toEqual({
    code: 0,
    stdout:
      'server     not running: claw serve starts it\n' +
      `version    ${value['version']}\nmodel      offline/rules\nstorage    sqlite\nruns       0\n` +
      'approvals  0 open\neffects    0 unknown\nscheduler  0 jobs\n',
    stderr: '',
  });
  expect(await readdir(at.root.path)).toEqual([]);
});

test.each(WAYS)('counts runs and jobs, and says what is held back: %s', async (via) => {
  at = await openWay(via);
  await at.root.inline(['ask', 'hello']);
  await at.text(['schedule', 'add', '--every', '24h', '--id', 'daily', '--message', 'hello']);

  const value = await at.document(['status']);
  const said = await at.text(['status']);
  await at.text(['schedule', 'pause', '--all']);
  const paused = await at.text(['status']);

  const process =
    via === 'local'
      ? NO_SERVER
      : {
          running: true,
          circuits: { open: [] },
          url: at.url,
          started_at: '<time>',
          uptime_seconds: expect.any(Number),
          queue: {
            queued: 0,
            running: 0,
            max_queued: expect.any(Number),
            max_concurrent: expect.any(Number),
          },
        };
  expect(value).toEqual({
    ...common('status', 0),
    ...QUIET,
    ...process,
    run_count: 1,
    counts: { ...COUNTS, completed: 1 },
    spend_today: {
      ...QUIET.spend_today,
      tokens_in: expect.any(Number),
      tokens_out: expect.any(Number),
    },
    scheduler: { ...QUIET.scheduler, jobs: 1, next: { job_id: 'daily', at: '<time>' } },
    via,
  });
  expect(said.stdout).toContain('\nruns       1: 1 completed\n');
  expect(said.stdout).toContain('\nscheduler  1 job; next daily at <time>\n');
  expect(paused.stdout).toContain('\nscheduler  1 job; paused: claw schedule resume --all\n');
  if (via === 'server') expect(said.stdout).toContain(`server     running at ${at.url} for `);
});

test('a call that waits for a person is counted', async () => {
  at = await openWay('local', { isShipped: true });
  await mkdir(join(at.root.path, '.openclawssy'), { mode: 0o700 });
  const policy = { rules: [{ tool: 'fs.write', decision: 'ask' }] };
  await writeFile(join(at.root.path, '.openclawssy/config.json'), JSON.stringify({ policy }), {
    mode: 0o600,
  });
  const server = await at.root.serve();
  at.root.start(['ask', '/tool fs.write {"path":"a.txt","content":"one"}']);

  const deadline = Date.now() + 15_000;
  let said = await at.text(['status']);
  while (!said.stdout.includes('1 open') && Date.now() < deadline) said = await at.text(['status']);
  const value = await at.document(['status']);
  server.child.kill('SIGTERM');
  await server.ended;

  expect(said.stdout).toContain('\napprovals  1 open: claw approvals list --status pending\n');
  expect(value).toMatchObject({ approvals: { pending: 1 }, counts: { waiting: 1 } });
});

test('a configuration that is not valid is a warning, and no reason to say nothing', async () => {
  at = await openWay('local');
  await mkdir(join(at.root.path, '.openclawssy'));
  await writeFile(join(at.root.path, '.openclawssy/config.json'), '{"server":{"prt":1}}');

  const value = await at.document(['status']);

  expect(value).toEqual({
    ...common('status', 0),
    ...NO_SERVER,
    ...QUIET,
    model: { provider: '', name: '' },
    scheduler: { ...QUIET.scheduler, enabled: false },
    warnings: [
      'config file <root>/.openclawssy/config.json: server.prt is not a known field; to fix: did you mean server.port?',
    ],
    via: 'local',
  });
});

test('refuses arguments', async () => {
  at = await openWay('local');

  const value = await at.document(['status', 'now']);

  expect(value).toMatchObject({
    exit_code: 1,
    error: { kind: 'parse', message: 'unexpected argument "now"', hint: 'usage: claw status' },
  });
});
