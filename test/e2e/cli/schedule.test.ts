import { readdir } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { common, type Document } from './claw.ts';
import { notFound, openWay, until, WAYS, type WayRoot } from './ways.ts';

let at: WayRoot;

afterEach(() => at.dispose());

const LIST_HINT = 'claw schedule list shows the jobs there are';

const JOB = {
  job_id: 'daily',
  agent_id: 'agent_default',
  schedule: '@every 24h',
  message: 'say hello',
  mode: 'isolated',
  notify: { channel: 'none', target: '' },
  enabled: true,
  timezone: 'UTC',
  catch_up: 'none',
  next_run_at: '<time>',
  last_run: null,
  created_at: '<time>',
  updated_at: '<time>',
};

const ADD = ['schedule', 'add', '--every', '24h', '--id', 'daily', '--message', 'say hello'];

test.each(WAYS)('adds, shows, changes and removes a job: %s', async (via) => {
  at = await openWay(via);

  const added = await at.document(ADD);
  const again = await at.document(ADD);
  const shown = await at.document(['schedule', 'show', 'daily']);
  const updated = await at.document([
    ...['schedule', 'update', 'daily', '--at', '2090-02-18T09:00:00+01:00', '--mode', 'main_like'],
    ...['--timezone', 'Europe/Berlin', '--catch-up', 'once', '--notify', 'agent:agent_default'],
  ]);
  const preview = await at.document(['schedule', 'preview', 'daily', '--count', '3']);
  const removed = await at.document(['schedule', 'remove', 'daily']);
  const listed = await at.document(['schedule', 'list']);

  const changed = {
    ...JOB,
    schedule: '2090-02-18T09:00:00+01:00',
    mode: 'main_like',
    notify: { channel: 'agent', target: 'agent_default' },
    timezone: 'Europe/Berlin',
    catch_up: 'once',
  };
  expect(added).toEqual({ ...common('schedule add', 0), ...JOB, via });
  expect(again).toEqual(added);
  expect(shown).toEqual({ ...common('schedule show', 0), ...JOB, via });
  expect(updated).toEqual({ ...common('schedule update', 0), ...changed, via });
  expect(preview).toEqual({
    ...common('schedule preview', 0),
    job_id: 'daily',
    timezone: 'Europe/Berlin',
    upcoming_count: 1,
    upcoming: [{ at: '<time>', local: '2090-02-18T09:00:00+01:00' }],
    via,
  });
  expect(removed).toEqual({ ...common('schedule remove', 0), job_id: 'daily', removed: true, via });
  expect(listed).toEqual({
    ...common('schedule list', 0),
    jobs_count: 0,
    jobs: [],
    next_cursor: null,
    paused: false,
    via,
  });
});

test.each(WAYS)('pauses and resumes one job and all of them: %s', async (via) => {
  at = await openWay(via);
  await at.document(ADD);

  const paused = await at.document(['schedule', 'pause', 'daily']);
  const allPaused = await at.document(['schedule', 'pause', '--all']);
  const resumed = await at.document(['schedule', 'resume', 'daily']);
  const listed = await at.text(['schedule', 'list']);
  const allResumed = await at.document(['schedule', 'resume', '--all']);

  const off = { ...JOB, enabled: false, next_run_at: null };
  expect(paused).toEqual({ ...common('schedule pause', 0), ...off, paused: false, via });
  expect(allPaused).toEqual({ ...common('schedule pause', 0), paused: true, via });
  expect(resumed).toEqual({ ...common('schedule resume', 0), ...JOB, paused: true, via });
  expect(listed).toEqual({
    code: 0,
    stdout:
      'daily  @every 24h  <time>  agent_default  say hello\n' +
      'all firing is paused: claw schedule resume --all goes on with it\n',
    stderr: '',
  });
  expect(allResumed).toEqual({ ...common('schedule resume', 0), paused: false, via });
});

test.each(WAYS)('lists page by page, and only those of an agent: %s', async (via) => {
  at = await openWay(via);
  for (const id of ['a', 'b', 'c']) {
    await at.document(['schedule', 'add', '--every', '24h', '--id', id, '--message', 'say hello']);
  }

  const first = await at.document(['schedule', 'list', '--limit', '2']);
  const cursor = String(first['next_cursor']);
  const second = await at.document(['schedule', 'list', '--limit', '2', '--cursor', cursor]);
  const others = await at.document(['schedule', 'list', '--agent', 'somebody']);
  const forged = await at.document(['schedule', 'list', '--cursor', 'nonsense']);

  const ids = ({ jobs }: Document) => (jobs as readonly (typeof JOB)[]).map((job) => job.job_id);
  expect([ids(first), ids(second), ids(others)]).toEqual([['a', 'b'], ['c'], []]);
  expect(second['next_cursor']).toBeNull();
  expect(forged).toMatchObject({
    exit_code: 1,
    error: { kind: 'usage', message: 'cursor is not one that a list answered with' },
  });
});

test('takes a delay and a time of day through the server', { timeout: 90_000 }, async () => {
  at = await openWay('server');
  const daily = ['--at', '09:00', '--daily', '--timezone', 'Europe/Berlin', '--id', 'morning'];

  const morning = await at.document(['schedule', 'add', ...daily, '--message', 'hello']);
  const once = await at.document(['schedule', 'add', '--in', '90m', '--message', 'stretch']);
  const preview = await at.document(['schedule', 'preview', 'morning', '--count', '1']);

  expect(morning).toMatchObject({ schedule: '@every 24h', timezone: 'Europe/Berlin' });
  expect(JSON.stringify(preview['upcoming'])).toMatch(/T09:00:00\+0[12]:00/);
  expect(once['schedule']).toBe(once['next_run_at']);
});

test.each([
  ['local', 'job daily is added; next: <time>\nit fires while a server runs: claw serve\n'],
  ['server', 'job daily is added; next: <time>\n'],
] as const)('says in text who fires a job: %s', async (via, said) => {
  at = await openWay(via);

  const added = await at.text(['schedule', 'add', '--every', '24h', '--id', 'daily'], {
    input: 'say hello\nand goodbye\n',
  });
  const shown = await at.text(['schedule', 'show', 'daily']);
  const preview = await at.text(['schedule', 'preview', 'daily', '--count', '1']);
  const history = await at.text(['schedule', 'history', 'daily']);
  const removed = await at.text(['schedule', 'remove', 'daily']);

  expect(added).toEqual({ code: 0, stdout: said, stderr: '' });
  expect(shown.stdout).toBe(
    'job        daily\nschedule   @every 24h\nnext       <time>\nagent      agent_default\n' +
      'mode       isolated\ntime zone  UTC\ncatch up   none\ncreated    <time>\nupdated    <time>\n' +
      '\nsay hello\nand goodbye\n',
  );
  expect(preview.stdout).toMatch(/^\d{4}-\d\d-\d\dT\S+Z {2}UTC\n$/);
  expect(history).toEqual({ code: 0, stdout: '(it was not due yet)\n', stderr: '' });
  expect(removed).toEqual({ code: 0, stdout: 'job daily is removed\n', stderr: '' });
});

test('a job that was stored without a server fires when one runs, and its history stays', async () => {
  at = await openWay('local', { isShipped: true });
  await at.document(['schedule', 'add', '--every', '1s', '--id', 'often', '--message', 'hello']);

  const server = await at.root.serve();
  const far = await until(
    () => at.document(['schedule', 'history', 'often', '--limit', '1']),
    ({ firings }) => isDone(firings),
  );
  await at.document(['schedule', 'pause', 'often']);
  server.child.kill('SIGTERM');
  await server.ended;
  const near = await at.document(['schedule', 'history', 'often']);
  const shown = await at.document(['schedule', 'show', 'often']);

  expect(far).toEqual({
    ...common('schedule history', 0),
    job_id: 'often',
    firings_count: 1,
    firings: [FIRED],
    next_cursor: expect.toSatisfy((cursor) => cursor === null || typeof cursor === 'string'),
    via: 'server',
  });
  expect(near).toMatchObject({ job_id: 'often', next_cursor: null, via: 'local' });
  // On a slow machine the slots before and after it were missed.
  expect(near['firings']).toContainEqual(FIRED);
  expect(shown).toMatchObject({ enabled: false, last_run: { slot_at: '<time>' } });
});

const FIRED = {
  outcome: 'fired',
  slot_at: '<time>',
  at: '<time>',
  run_id: '<run>',
  run_status: 'completed',
};

function isDone(firings: unknown): boolean {
  const [newest] = firings as readonly { readonly run_status?: string }[];
  return newest?.run_status === 'completed';
}

test.each(WAYS)('a job that is not there is not found by any verb: %s', async (via) => {
  at = await openWay(via);

  for (const verb of ['show', 'remove', 'pause', 'resume', 'history', 'preview', 'update']) {
    const args = ['schedule', verb, 'absent', ...(verb === 'update' ? ['--mode', 'isolated'] : [])];
    expect(await at.document(args)).toEqual({
      ...common(`schedule ${verb}`, 1),
      ...notFound('job', 'absent', LIST_HINT),
    });
  }
  if (via === 'local') expect(await readdir(at.root.path)).toEqual([]);
});

test.each(WAYS)('targets that are not there are named: %s', async (via) => {
  at = await openWay(via);
  const add = ['schedule', 'add', '--every', '1h', '--message', 'hello'];

  const agent = await at.document([...add, '--agent', 'nobody']);
  const session = await at.document([...add, '--notify', 'session:gone']);
  const told = await at.document([...add, '--notify', 'agent:nobody']);

  const agentsHint = 'claw agents list shows the agents there are';
  const sessionsHint = 'claw sessions list --include-closed shows the sessions there are';
  const command = common('schedule add', 1);
  expect(agent).toEqual({ ...command, ...notFound('agent', 'nobody', agentsHint) });
  expect(session).toEqual({ ...command, ...notFound('session', 'gone', sessionsHint) });
  expect(told).toEqual({ ...command, ...notFound('agent', 'nobody', agentsHint) });
});

test.each(WAYS)('another job under the same id is refused: %s', async (via) => {
  at = await openWay(via);
  await at.document(ADD);

  const other = await at.document([...ADD, '--mode', 'main_like']);

  expect(other).toEqual({
    ...common('schedule add', 1),
    error: {
      kind: 'runtime',
      operation: 'schedule_add',
      target: '<root>',
      retryable: false,
      message: 'job daily exists already and is another one',
    },
  });
});

test.each([
  [['add', '--message', 'x'], 'parse', 'it is not said when the job is due'],
  [['add', '--every', '1h'], 'parse', 'there is no message'],
  [
    ['add', '--every', '1h', '--at', '2090-01-01T00:00:00Z', '--message', 'x'],
    'parse',
    'only one of --every, --in, --at and --schedule can be given',
  ],
  [['add', '--every', '0s', '--message', 'x'], 'usage', /"0s"/],
  [['add', '--every=-1h', '--message', 'x'], 'usage', /"-1h"/],
  [['add', '--schedule', '0 9 * * *', '--message', 'x'], 'usage', /cron expression/],
  [['add', '--at', '2020-01-01T00:00:00Z', '--message', 'x'], 'usage', /is in the past/],
  [['add', '--every', '1h', '--timezone', 'Mars/X', '--message', 'x'], 'usage', /"Mars\/X"/],
  [['add', '--every', '1h', '--notify', 'mail:a', '--message', 'x'], 'usage', /notify\.channel/],
  [['add', '--every', '1h', '--id', '../x', '--message', 'x'], 'parse', /not the id of a job$/],
  [['add', '--every', '1h', '--mode', 'x', '--message', 'x'], 'parse', /^option --mode must be/],
  [['show', '..'], 'parse', '".." is not the id of a job'],
  [['update', 'daily'], 'parse', 'it is not said what is to change'],
  [['pause'], 'parse', 'name one job, or say --all'],
  [['resume', 'daily', '--all'], 'parse', 'name one job, or say --all'],
  [['preview', 'daily', '--count', '0'], 'parse', /^option --count must be a whole number/],
] as const)('refuses schedule %j', async (args, kind, message) => {
  at = await openWay('local');

  const value = await at.document(['schedule', ...args]);

  const said = typeof message === 'string' ? message : expect.stringMatching(message);
  expect(value).toMatchObject({ exit_code: 1, error: { kind, message: said } });
});

test('reading verbs leave an empty directory empty', async () => {
  at = await openWay('local');

  const listed = await at.text(['schedule', 'list']);
  await at.document(['schedule', 'add', '--every', 'often', '--message', 'x']);

  expect(listed).toEqual({ code: 0, stdout: '(no jobs)\n', stderr: '' });
  expect(await readdir(at.root.path)).toEqual([]);
});
