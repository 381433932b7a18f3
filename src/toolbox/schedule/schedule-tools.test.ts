import { beforeEach, expect, test } from 'vitest';
import {
  HOUR_MS,
  OTHER_AGENT_ID,
  openScheduleRig,
  type ScheduleRig,
} from '../../../test/schedule/schedule-rig.ts';
import { DEFAULT_AGENT_ID, type RunId, type SessionId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Tool, ToolContext } from '../../core/tools/tool.ts';
import { failureOf, inputErrors } from '../test-workspace.ts';
import { createScheduleTools } from './schedule-tools.ts';

let rig: ScheduleRig;
let tools: ReadonlyMap<string, Tool>;

beforeEach(async () => {
  rig = await openScheduleRig();
  const made = createScheduleTools({ jobs: rig.jobs, sessions: rig.storage.sessions });
  tools = new Map(made.map((tool) => [tool.name, tool]));
});

const toolNamed = (name: string) => tools.get(name)!;

/** As the pipeline does: mend, validate, run. */
async function call(
  name: string,
  input: JsonObject,
  caller: Partial<ToolContext> = {},
): Promise<JsonObject> {
  const tool = toolNamed(name);
  const ctx: ToolContext = {
    runId: 'run_test' as RunId,
    agentId: DEFAULT_AGENT_ID,
    principal: 'operator',
    callId: 'call-1',
    idempotencyKey: 'req_1',
    signal: new AbortController().signal,
    ...caller,
  };
  return tool.execute(tool.input.parse(tool.repair(input)), ctx);
}

const ADD = { id: 'job_report', schedule: '@every 1h', message: 'Generate status report' };

const REPORT = {
  job_id: 'job_report',
  agent_id: 'agent_default',
  schedule: '@every 1h',
  message: 'Generate status report',
  mode: 'isolated',
  notify: { channel: 'none', target: '' },
  enabled: true,
  timezone: 'UTC',
  catch_up: 'none',
  next_run_at: '2026-02-15T01:00:00.000Z',
  created_at: '2026-02-15T00:00:00.000Z',
  updated_at: '2026-02-15T00:00:00.000Z',
};

test('scheduler.add makes a job of the calling agent', async () => {
  const output = await call('scheduler.add', ADD);

  expect(output).toEqual({ added: true, job: REPORT });
  expect(toolNamed('scheduler.add').summarize(ADD, output)).toBe('added job job_report');
});

test('scheduler.add understands other names of its arguments', async () => {
  const output = await call('scheduler.add', {
    job_id: ' job_report ',
    when: '@every 90m',
    prompt: 'Look around',
    enabled: 'false',
    tz: 'Europe/Berlin',
    catch_up: 'once',
    mode: 'main_like',
  });

  expect(output).toEqual({
    added: true,
    job: {
      ...REPORT,
      schedule: '@every 90m',
      message: 'Look around',
      enabled: false,
      timezone: 'Europe/Berlin',
      catch_up: 'once',
      mode: 'main_like',
      next_run_at: null,
    },
  });
});

test('a repeated scheduler.add is one job, by its id or by the key of the call', async () => {
  const { id: _, ...unnamed } = ADD;

  const outputs = [
    await call('scheduler.add', ADD),
    await call('scheduler.add', ADD, { idempotencyKey: 'req_2' }),
    await call('scheduler.add', unnamed),
    await call('scheduler.add', unnamed),
    await call('scheduler.add', unnamed, { idempotencyKey: 'req_2' }),
  ];

  expect(outputs.map(({ added }) => added)).toEqual([true, false, true, false, true]);
  expect((await rig.jobs.list({ limit: 10 })).jobs).toHaveLength(3);
});

test("a caller's key names one job of its principal, whichever run brings it", async () => {
  const { id: _, ...unnamed } = ADD;
  const addIn = (runId: string, principal = 'operator') =>
    call('scheduler.add', unnamed, {
      runId: runId as RunId,
      principal,
      idempotencyKey: 'K',
      isCallersKey: true,
    });

  const outputs = [await addIn('run_1'), await addIn('run_2'), await addIn('run_3', 'user:7')];

  expect(outputs.map(({ added }) => added)).toEqual([true, false, true]);
});

test('scheduler.add refuses work for others and jobs that are others’', async () => {
  await call('scheduler.add', ADD, { agentId: OTHER_AGENT_ID });

  const refusals = [
    await failureOf(call('scheduler.add', { ...ADD, agent_id: OTHER_AGENT_ID })),
    await failureOf(call('scheduler.add', ADD)),
    await failureOf(call('scheduler.add', { ...ADD, id: 'job_cron', schedule: '0 9 * * *' })),
  ];

  expect(refusals).toMatchObject([
    { code: 'policy_denied', message: 'an agent can schedule work for itself only' },
    { code: 'conflict', message: 'job job_report exists already and is another one' },
    { code: 'invalid_input', message: expect.stringContaining('cron expression') },
  ]);
});

test('scheduler.add tells a session of the agent, by its id or its place, and no other agent’s', async () => {
  const { sessions } = rig.storage;
  const place = { channel: 'http', userId: 'u', roomId: 'dev' };
  await sessions.open({ ...place, agentId: DEFAULT_AGENT_ID }, 'session_mine' as SessionId);
  await sessions.open({ ...place, agentId: OTHER_AGENT_ID }, 'session_theirs' as SessionId);
  const add = (id: string, target: JsonObject) => call('scheduler.add', { ...ADD, id, ...target });

  const told = [
    await add('job_a', { session_id: 'session_mine' }),
    await add('job_b', { channel: 'http', user_id: 'u', room_id: 'dev' }),
    await add('job_c', { notify: { channel: 'session', target: 'session_mine' } }),
    await add('job_d', { notify: { channel: 'agent', target: OTHER_AGENT_ID } }),
  ];
  const refusals = [
    await failureOf(add('job_e', { session_id: 'session_theirs' })),
    await failureOf(add('job_e', { notify: { channel: 'session', target: 'session_theirs' } })),
    await failureOf(add('job_e', { channel: 'http', room_id: 'nowhere' })),
  ];

  const mine = { notify: { channel: 'session', target: 'session_mine' } };
  expect(told.map(({ job }) => job)).toMatchObject([
    mine,
    mine,
    mine,
    { notify: { channel: 'agent', target: OTHER_AGENT_ID } },
  ]);
  expect(refusals).toMatchObject([
    { code: 'not_found', message: 'session session_theirs does not exist' },
    { code: 'not_found', message: 'session session_theirs does not exist' },
    { code: 'not_found', message: 'there is no open session in this place' },
  ]);
});

test('scheduler.list shows the jobs of the calling agent only, page by page', async () => {
  await call('scheduler.add', { ...ADD, id: 'job_a' });
  await call('scheduler.add', { ...ADD, id: 'job_b' });
  await call('scheduler.add', { ...ADD, id: 'job_c' }, { agentId: OTHER_AGENT_ID });
  await rig.jobs.pauseAll();

  const first = await call('scheduler.list', { limit: '1' });
  const rest = await call('scheduler.list', { after: 'job_a' });

  expect(first).toEqual({ paused: true, jobs: [{ ...REPORT, job_id: 'job_a' }], next: 'job_a' });
  expect(rest).toEqual({ paused: true, jobs: [{ ...REPORT, job_id: 'job_b' }] });
});

test('scheduler.remove removes own jobs; for others’ and absent ones nothing happens', async () => {
  await call('scheduler.add', ADD);
  await call('scheduler.add', { ...ADD, id: 'job_theirs' }, { agentId: OTHER_AGENT_ID });

  const outputs = [
    await call('scheduler.remove', { id: 'job_report' }),
    await call('scheduler.remove', { id: 'job_report' }),
    await call('scheduler.remove', { id: 'job_theirs' }),
  ];

  expect(outputs).toEqual([
    { id: 'job_report', removed: true },
    { id: 'job_report', removed: false },
    { id: 'job_theirs', removed: false },
  ]);
  expect((await rig.jobs.list({ limit: 10 })).jobs.map(({ id }) => id)).toEqual(['job_theirs']);
});

test('scheduler.pause and scheduler.resume switch one job, or all of the agent’s', async () => {
  await call('scheduler.add', { ...ADD, id: 'job_a' });
  await call('scheduler.add', { ...ADD, id: 'job_b' });
  await call('scheduler.add', { ...ADD, id: 'job_theirs' }, { agentId: OTHER_AGENT_ID });
  await call('scheduler.add', { ...ADD, id: 'job_over', schedule: '2026-02-15T00:30:00Z' });
  rig.clock.advance(HOUR_MS / 2);
  await rig.dueJobs.tick();

  const outputs = [
    await call('scheduler.pause', { id: 'job_a' }),
    await call('scheduler.pause', {}),
    await call('scheduler.resume', {}),
  ];
  const foreign = await failureOf(call('scheduler.pause', { id: 'job_theirs' }));

  expect(outputs).toEqual([
    { paused: true, ids: ['job_a'] },
    { paused: true, ids: ['job_a', 'job_b'] },
    { paused: false, ids: ['job_a', 'job_b'] },
  ]);
  expect(foreign).toMatchObject({ code: 'not_found', message: 'job job_theirs does not exist' });
  expect((await rig.jobs.get('job_theirs')).revision).toBe(1);
});

test('what is not an argument is refused with a reason', () => {
  expect([
    inputErrors(toolNamed('scheduler.add'), { schedule: '@every 1h' }),
    inputErrors(toolNamed('scheduler.add'), { ...ADD, id: '../x' }),
    inputErrors(toolNamed('scheduler.add'), { ...ADD, mode: 'shared' }),
    inputErrors(toolNamed('scheduler.remove'), {}),
    inputErrors(toolNamed('scheduler.list'), { limit: 0 }),
  ]).toEqual([
    ['message is required'],
    ['id must have 1 to 64 letters, digits, _ or -'],
    ['mode must be one of isolated, main_like'],
    ['id is required'],
    ['limit must be a whole number from 1 to 200'],
  ]);
});

test('all that change something say so', () => {
  expect(
    [...tools.values()].map(({ name, effect, idempotent }) => [name, effect, idempotent]),
  ).toEqual([
    ['scheduler.list', 'read', true],
    ['scheduler.add', 'write', true],
    ['scheduler.remove', 'write', true],
    ['scheduler.pause', 'write', true],
    ['scheduler.resume', 'write', true],
  ]);
});
