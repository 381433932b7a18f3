import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { createSeal } from '../../src/core/events/seal.ts';
import { defineTool, type ToolEffect } from '../../src/core/tools/tool.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

const open: TestRuntime[] = [];
const roots: TempRoot[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
  await Promise.all(roots.splice(0).map((root) => root.remove()));
});

const steps = [{ toolCalls: [{ tool: 'wait.here' }] }, { text: 'done' }];
const config = { tools: { granted: ['wait.here'] } };

/** Never returns; reports that it was called. */
function waitingTool(effect: ToolEffect, onCall: () => void) {
  return defineTool({
    name: 'wait.here',
    description: 'waits',
    effect,
    input: z.object({}),
    async execute() {
      onCall();
      return new Promise<never>(() => {});
    },
  });
}

test.each([
  ['write', 'outcome_unknown', 'wait.here was interrupted; whether it took effect is unknown'],
  ['read', 'cancelled', 'wait.here was interrupted and not called again'],
] as const)(
  'a %s interrupted by a crash gets its result when the run is cancelled meanwhile',
  async (effect, code, message) => {
    const root = await openTempRoot();
    roots.push(root);
    let onCall = () => {};
    const called = new Promise<void>((resolve) => {
      onCall = resolve;
    });
    const options = { root: root.path, tools: [waitingTool(effect, onCall)], config };
    const first = await openTestRuntime(createScriptedModel({ steps }), options);
    const { id } = await first.submit('go');
    await called;
    // To the store alone: the runner must not hear of it before it goes down.
    const seal = createSeal(first);
    await first.storage.runs.requestCancel(id, {
      requested: seal({ type: 'run.cancel_requested', payload: { reason: 'enough' } }),
      cancelled: seal({ type: 'run.cancelled', payload: {} }),
    });
    await first.close({ graceMs: 0 });

    const second = await openTestRuntime(createScriptedModel({ steps }), options);
    open.push(second);
    const run = await second.awaitEnd(id);

    const events = await second.events(id);
    const call = events.find((event) => event.type === 'tool.call');
    const results = events.filter((event) => event.type === 'tool.result');
    expect(run).toMatchObject({ status: 'cancelled', totals: { turns: 1, toolCalls: 1 } });
    expect(results.map(({ payload }) => payload)).toMatchObject([
      { request_id: call?.payload['request_id'], ok: false, error: { code, message } },
    ]);
    expect(events.at(-1)?.type).toBe('run.cancelled');
  },
);
