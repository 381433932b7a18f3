import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { defineTool } from '../../src/core/tools/tool.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';

const MARK = 'what stood at [REDACTED]?';
const SECRET = 'it is sk-ant-api03-abcdefgh12345678';

const look = defineTool({
  name: 'test.look',
  description: '',
  effect: 'read',
  input: z.object({ for: z.string() }),
  execute: async () => ({ seen: 'a shell' }),
});

/** A run whose model says these texts in calls of one answer. */
async function record(texts: readonly string[], policy: object = {}) {
  const toolCalls = texts.map((text, index) => ({
    tool: 'test.look',
    callId: `look_${index}`,
    input: { for: text },
  }));
  const model = createScriptedModel({ steps: [{ toolCalls }, { text: 'seen' }] });
  const config = { tools: { granted: ['test.look'] }, policy };
  const runtime = await openTestRuntime(model, { tools: [look], config });
  onTestFinished(() => runtime.dispose());
  return { runtime, run: await runtime.submit('look') };
}

async function approve(runtime: TestRuntime): Promise<void> {
  for (;;) {
    const { approvals } = await runtime.approvals.list({ status: 'pending', limit: 1 });
    const [question] = approvals;
    if (question) {
      await runtime.approvals.decide(question.id, { status: 'approved', by: 'test', note: '' });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test.each<[string, string[]]>([
  ['the mark of a redaction, which the model wrote itself', [MARK, MARK]],
  ['a secret', [SECRET, SECRET]],
  ['both', [MARK, SECRET, MARK, MARK]],
])('reads with %s go the same way again', async (_, texts) => {
  const { runtime, run } = await record(texts);
  const { status } = await runtime.awaitEnd(run.id);

  const { divergence } = await runtime.replays.replay(run.id);

  expect(status).toBe('completed');
  expect(divergence).toBeUndefined();
});

const ASKS = { rules: [{ tool: 'test.look', decision: 'ask' }] };

test('a call that a person was asked about goes the same way again with the mark in it', async () => {
  const { runtime, run } = await record([MARK], ASKS);
  await approve(runtime);
  await runtime.awaitEnd(run.id);

  const { divergence } = await runtime.replays.replay(run.id);

  const events = await runtime.events(run.id);
  expect(events.filter(({ type }) => type === 'tool.result')).toMatchObject([
    { payload: { ok: true } },
  ]);
  expect(divergence).toBeUndefined();
});

test('a call that nobody could be asked about goes the same way again', async () => {
  const { runtime, run } = await record([SECRET], ASKS);
  await runtime.awaitEnd(run.id);

  const { divergence } = await runtime.replays.replay(run.id);

  const events = await runtime.events(run.id);
  expect(events.filter(({ type }) => type === 'tool.result')).toMatchObject([
    { payload: { ok: false, error: { code: 'policy.denied' } } },
  ]);
  expect(divergence).toBeUndefined();
});
