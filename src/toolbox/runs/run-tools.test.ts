import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../../test/support/open-test-runtime.ts';
import { toIso } from '../../core/clock.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Run } from '../../core/runs/run.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { createScriptedModel } from '../../providers/scripted/scripted-model.ts';
import { callTool, failureOf, inputErrors } from '../test-workspace.ts';
import { createRunTools } from './run-tools.ts';

let runtime: TestRuntime;
let tools: ReadonlyMap<string, Tool>;

beforeEach(async () => {
  // Answers nothing until it is cancelled: runs that use no model end by themselves, the others stay.
  const model = createScriptedModel({ steps: [{ text: 'thinking', hang: true }] });
  runtime = await openTestRuntime(model, {
    config: { tools: { granted: ['time.now', 'fs.read'] } },
  });
  const made = createRunTools({ runs: runtime.runs, agents: runtime.storage.agents });
  tools = new Map(made.map((tool) => [tool.name, tool]));
});

afterEach(() => runtime.dispose());

const toolNamed = (name: string) => tools.get(name)!;
const call = (name: string, input: JsonObject) => callTool(toolNamed(name), input);

const TIME_CALL = '/tool time.now {}';
const FAILING_CALL = '/tool fs.read {"path":"none.txt"}';

async function submitRunning(message: string): Promise<Run> {
  const { id } = await runtime.submit(message);
  const signal = AbortSignal.timeout(10_000);
  for await (const events of runtime.runs.tail({ runId: id, after: 0, idleMs: 10_000, signal })) {
    if (events.some(({ type }) => type === 'model.requested')) break;
  }
  return runtime.runs.get(id);
}

function listed(run: Run): JsonObject {
  return {
    run_id: run.id,
    agent_id: 'agent_default',
    status: run.status,
    source: 'test',
    message: run.message,
    stop_reason: run.stopReason ?? null,
    created_at: toIso(run.createdAtMs),
    updated_at: toIso(run.updatedAtMs),
  };
}

test('run.list gives runs newest first, page by page', async () => {
  const first = await runtime.ask(TIME_CALL);
  const second = await runtime.ask(FAILING_CALL);

  const whole = await call('run.list', {});
  const page = await call('run.list', { limit: 1 });
  const rest = await call('run.list', { limit: 1, before: second.id });

  expect(whole).toEqual({ runs: [listed(second), listed(first)] });
  expect(page).toEqual({ runs: [listed(second)], next: second.id });
  expect(rest).toEqual({ runs: [listed(first)] });
  expect(toolNamed('run.list').summarize({}, whole)).toBe('listed 2 run(s)');
});

test('run.list filters by status and agent', async () => {
  const ended = await runtime.ask(TIME_CALL);
  const running = await submitRunning('hello');

  const outputs = [
    await call('run.list', { status: 'Completed' }),
    await call('run.list', { state: 'running', agent: DEFAULT_AGENT_ID }),
    await call('run.list', { status: 'canceled' }),
    await call('run.list', { agent_id: 'nobody' }),
  ];

  expect(outputs).toMatchObject([
    { runs: [{ run_id: ended.id, status: 'completed' }] },
    { runs: [{ run_id: running.id, status: 'running' }] },
    { runs: [] },
    { runs: [] },
  ]);
});

test('run.list shows only the beginning of a long message', async () => {
  await runtime.ask(`${TIME_CALL}${' '.repeat(200)}`);

  const { runs } = await call('run.list', {});

  expect(runs).toMatchObject([{ message: `${TIME_CALL}${' '.repeat(160 - TIME_CALL.length)}…` }]);
});

test('run.get gives the whole run', async () => {
  const run = await runtime.ask(TIME_CALL);

  const output = await call('run.get', { id: ` ${run.id} ` });

  expect(output).toEqual({
    ...listed(run),
    session_id: null,
    output: run.output,
    error: null,
    provider: run.provider ?? null,
    model: run.model ?? null,
    turns: run.totals.turns,
    tool_calls: 1,
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: run.totals.costUsd,
    started_at: toIso(run.startedAtMs!),
    ended_at: toIso(run.endedAtMs!),
  });
  expect(toolNamed('run.get').summarize({ run_id: run.id }, output)).toBe(
    `run ${run.id} is completed`,
  );
});

test.each(['run.get', 'run.cancel'])('%s does not know a run that is not there', async (name) => {
  const failure = await failureOf(call(name, { run_id: 'run_none' }));

  expect(failure).toEqual({
    code: 'not_found',
    message: 'run run_none does not exist',
    details: { thing: 'run' },
  });
});

test('run.cancel ends a running run, once', async () => {
  const { id } = await submitRunning('hello');

  const first = await call('run.cancel', { run_id: id });
  const ended = await runtime.awaitEnd(id);
  const again = await call('run.cancel', { run_id: id });

  expect(first).toEqual({
    run_id: id,
    status: 'cancelling',
    requested: true,
    summary: `asked run ${id} to end; it is cancelling`,
  });
  expect(ended.status).toBe('cancelled');
  expect(again).toEqual({
    run_id: id,
    status: 'cancelled',
    requested: false,
    summary: `run ${id} was cancelled already`,
  });
  const wishes = (await runtime.events(id)).filter(({ type }) => type === 'run.cancel_requested');
  expect(wishes.map(({ actor, payload }) => [actor, payload])).toEqual([
    ['model', { reason: 'cancelled by run run_test' }],
  ]);
});

test('run.cancel refuses the run that asks', async () => {
  const own = 'run_test' as RunId;

  const failure = await failureOf(call('run.cancel', { run_id: own }));

  expect(failure).toEqual({
    code: 'tool_input_invalid',
    message: 'a run can not cancel itself; answer without further tool calls to end it',
    details: { field: 'run_id' },
  });
});

test('agent.list gives agents by id, without their instructions', async () => {
  const added = { id: 'a_first' as typeof DEFAULT_AGENT_ID, name: 'First', role: 'tester' };
  await runtime.storage.agents.ensure({ ...added, model: 'x/y', instructions: 'be brief' });
  const [standard] = (await runtime.storage.agents.list()).filter(
    ({ id }) => id === DEFAULT_AGENT_ID,
  );

  const output = await call('agent.list', {});

  expect(output).toEqual({
    agents: [
      { agent_id: 'a_first', slug: 'a_first', name: 'First', role: 'tester', model: 'x/y' },
      {
        agent_id: 'agent_default',
        slug: 'agent_default',
        name: standard?.name,
        role: standard?.role,
        model: standard?.model ?? null,
      },
    ],
    truncated: false,
  });
});

test('metrics.get counts statuses and tools', async () => {
  await runtime.ask(TIME_CALL);
  await runtime.ask(TIME_CALL);
  await runtime.ask(FAILING_CALL);
  await submitRunning('hello');

  const output = await call('metrics.get', {});

  const durations = { avg_duration_ms: expect.any(Number), max_duration_ms: expect.any(Number) };
  expect(output).toEqual({
    runs: {
      total: 4,
      by_status: {
        queued: 0,
        running: 1,
        waiting: 0,
        cancelling: 0,
        completed: 3,
        failed: 0,
        cancelled: 0,
      },
    },
    tools: [
      { tool: 'fs.read', calls: 1, errors: 1, ...durations },
      { tool: 'time.now', calls: 2, errors: 0, ...durations },
    ],
    runs_traced: 4,
    truncated: false,
  });
});

test('metrics.get counts only what it was asked for and says when there is more', async () => {
  await runtime.ask(TIME_CALL);
  await runtime.ask(FAILING_CALL);

  const newest = await call('metrics.get', { limit: '1' });
  const running = await call('metrics.get', { status: 'running' });

  expect(newest).toMatchObject({
    runs: { total: 1 },
    tools: [{ tool: 'fs.read' }],
    truncated: true,
  });
  expect(running).toMatchObject({
    runs: { total: 0 },
    tools: [],
    runs_traced: 0,
    truncated: false,
  });
});

test.each([
  ['run.list', { limit: 201 }, ['limit must be a whole number from 1 to 200']],
  [
    'run.list',
    { agent_id: '../x' },
    ['agent_id must be 1 to 128 characters, without control characters, /, \\ or ..'],
  ],
  ['run.get', {}, ['run_id is required']],
  ['run.get', { run_id: 'a/b' }, ['run_id must have 1 to 128 letters, digits, _ or -']],
  ['metrics.get', { limit: 1_001 }, ['limit must be a whole number from 1 to 1000']],
  [
    'metrics.get',
    { status: 'gone' },
    ['status must be one of queued, running, waiting, cancelling, completed, failed, cancelled'],
  ],
])('%s refuses %j', (name, input, messages) => {
  expect(inputErrors(toolNamed(name), input)).toEqual(messages);
});
