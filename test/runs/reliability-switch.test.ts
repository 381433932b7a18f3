import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { RuntimeError } from '../../src/core/errors.ts';
import { noMetrics, type Span, type Tracer } from '../../src/core/telemetry.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';

const open: TestRuntime[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

const steps = [{ toolCalls: [{ tool: 'weather.get' }] }, { text: 'told' }];
const config = { tools: { granted: ['weather.get'] }, tool_reliability: { mode: 'all' } };

function weatherTool(work: () => object) {
  return defineTool({
    name: 'weather.get',
    description: 'tells',
    effect: 'read',
    input: z.object({}),
    execute: async () => work(),
  });
}

test('the switch in the environment is read at every call', async () => {
  let calls = 0;
  const tool = weatherTool(() => {
    calls += 1;
    throw new RuntimeError('provider_failed', 'busy', { details: { retryAfterMs: 1 } });
  });
  const config_ = {
    ...config,
    tool_reliability: {
      mode: 'all',
      overrides: { 'weather.get': { retry: { max_retries: 1, max_delay_ms: 1 } } },
    },
  };
  const runtime = await openTestRuntime(createScriptedModel({ steps }), {
    tools: [tool],
    config: config_,
  });
  open.push(runtime);
  const counts: number[] = [];

  for (const flag of ['false', 'true', 'off', 'all']) {
    vi.stubEnv('TOOL_RELIABILITY_ENABLED', flag);
    calls = 0;
    await runtime.ask('weather?');
    counts.push(calls);
  }

  expect(counts).toEqual([1, 2, 1, 2]);
});

test('a call that an open circuit refuses is counted as circuit_open', async () => {
  const statuses: string[] = [];
  const metrics = {
    ...noMetrics,
    toolCall: ({ status }: { status: string }) => void statuses.push(status),
  };
  const tools = [weatherTool(() => ({ sky: 'blue' }))];
  const model = createScriptedModel({ steps });
  const runtime = await openTestRuntime(model, { tools, config, metrics });
  open.push(runtime);

  await runtime.ask('weather?');
  await runtime.toolAdmin.openCircuit('weather.get');
  await runtime.ask('weather?');

  expect(statuses).toEqual(['success', 'circuit_open']);
});

test('a tool call is a span with one child for each attempt, and a trial is an attempt too', async () => {
  const names: string[] = [];
  const tracer: Tracer = {
    span(name, attributes, work) {
      if (name.includes('tool')) names.push(`${name} ${attributes['attempt'] ?? ''}`.trim());
      return work({ set: () => {} } satisfies Span);
    },
    continueTrace: (_caller, work) => work(),
  };
  let isBusy = true;
  const tool = weatherTool(() => {
    if (isBusy) throw new RuntimeError('provider_failed', 'busy');
    return { sky: 'blue' };
  });
  const overrides = {
    'weather.get': {
      retry: { max_retries: 1, initial_delay_ms: 0, max_delay_ms: 0 },
      breaker: { failure_threshold: 1, reset_timeout_ms: 1 },
    },
  };
  const runtime = await openTestRuntime(createScriptedModel({ steps }), {
    tools: [tool],
    config: { ...config, tool_reliability: { mode: 'all', overrides } },
    openTracer: async () => tracer,
  });
  open.push(runtime);

  await runtime.ask('weather?');
  isBusy = false;
  await runtime.ask('weather?');

  const failed = ['runtime.tool', 'tool_attempt 1', 'tool_attempt 2'];
  expect(names).toEqual([...failed, 'runtime.tool', 'tool_attempt 1']);
});
