import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import { traceIdOf } from '../../src/core/run-trace.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import type { TraceContext } from '../../src/core/trace-context.ts';
import { createPassOnTracer } from '../../src/telemetry/pass-on-tracer.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { ADA, driveThread, THREAD, talkingModel } from './thread-rig.ts';

const TRACE: TraceContext = {
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  tracestate: 'vendor=1',
  requestId: 'req-of-caller',
};
const STORED = {
  traceparent: TRACE.traceparent,
  tracestate: 'vendor=1',
  request_id: 'req-of-caller',
};

let runtime: TestRuntime;
let seen: (string | undefined)[];

afterEach(() => runtime.dispose());

async function setUp() {
  seen = [];
  const tracer = createPassOnTracer();
  const look = defineTool<object, object>({
    name: 'trace.look',
    description: 'sees its trace',
    effect: 'read',
    serves: 'everyone',
    input: z.object({}),
    async execute(_input, { traceparent }) {
      seen.push(traceparent);
      return {};
    },
  });
  runtime = await openTestRuntime(talkingModel(), {
    tools: [look],
    openTracer: async () => tracer,
    config: { tools: { granted: ['trace.look'] } },
  });
  return tracer;
}

test('what a frame causes belongs to the trace of the frame', async () => {
  await setUp();
  const thread = driveThread(runtime);
  const { id } = await thread.create();

  await runtime.threads.accept({
    ...{ runId: id, threadId: THREAD, principal: ADA, frameId: 'frm_1', type: 'user_message' },
    payload: { text: 'call trace.look {}' },
    trace: TRACE,
  });
  await thread.awaitStatus(id, 'waiting');

  expect(seen).toEqual([TRACE.traceparent]);
  const frame = (await runtime.events(id)).find(({ type }) => type === 'frame.accepted');
  expect(frame?.payload['trace']).toEqual(STORED);
});

test('a run belongs to the trace of the request that made it, also when it had to wait', async () => {
  const tracer = await setUp();
  const agentId = DEFAULT_AGENT_ID;

  const { run } = await tracer.continueTrace(TRACE, () =>
    runtime.runs.submit({ agentId, message: 'call trace.look {}', source: 'test' }),
  );
  await runtime.awaitEnd(run.id);

  expect(seen).toEqual([TRACE.traceparent]);
  expect((await runtime.events(run.id))[0]?.payload['trace']).toEqual(STORED);
});

test('without a trace of a caller a run has one of its own, the same for all its calls', async () => {
  await setUp();
  const run = await runtime.ask('call trace.look {}');
  const again = await runtime.ask('call trace.look {}');

  const places = seen.map((traceparent) => traceparent?.split('-'));
  expect(places).toEqual([
    ['00', traceIdOf(run.id), expect.stringMatching(/^[0-9a-f]{16}$/), '00'],
    ['00', traceIdOf(again.id), expect.stringMatching(/^[0-9a-f]{16}$/), '00'],
  ]);
  expect(traceIdOf(run.id)).not.toBe(traceIdOf(again.id));
  expect((await runtime.events(run.id))[0]?.payload).not.toHaveProperty('trace');
});
