import { expect, onTestFinished, test } from 'vitest';
import { RuntimeError } from '../../src/core/errors.ts';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import type { Model } from '../../src/core/loop/model.ts';
import { openTestRuntime } from '../support/open-test-runtime.ts';

/** Fails on every attempt, when it has spent these tokens. */
function createFailingModel(inputTokens: number): Model {
  return {
    provider: 'scripted',
    name: 'test',
    toolCalls: 'native',
    // biome-ignore lint/correctness/useYield: it has nothing to say.
    async *stream() {
      const details = { usage: { inputTokens, outputTokens: 1 } };
      throw new RuntimeError('provider_failed', 'it broke off', { retryable: true, details });
    },
  };
}

test('a run whose next attempt a budget refused goes the same way again', async () => {
  const runtime = await openTestRuntime(createFailingModel(90_000), {
    config: { model: { max_retries: 3, max_output_tokens: 1_000 } },
  });
  onTestFinished(() => runtime.dispose());
  const scope = { kind: 'agent', agentId: DEFAULT_AGENT_ID } as const;
  await runtime.costs.setBudget({ scope, pico: undefined, tokens: 90_500 });
  const run = await runtime.ask('hello');

  const { divergence } = await runtime.replays.replay(run.id);

  const types = (await runtime.events(run.id)).map(({ type }) => type);
  expect(run.error?.code).toBe('budget_exceeded');
  expect(types.filter((type) => type === 'model.requested')).toHaveLength(1);
  expect(types.slice(-2)).toEqual(['model.failed', 'run.failed']);
  expect(divergence).toBeUndefined();
});
