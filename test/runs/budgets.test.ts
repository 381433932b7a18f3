import { afterEach, describe, expect, test } from 'vitest';
import { parseUsd } from '../../src/core/costs/money.ts';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import type { Model, Usage } from '../../src/core/loop/model.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { TEST_ENGINES } from '../support/test-engines.ts';

const PROJECT = 'proj_001';
const RUNS = 64;
/** Picodollars per token: what goes in costs one, what comes out two. */
const prices = { 'scripted/test': { input_per_million: 0.000001, output_per_million: 0.000002 } };
const config = {
  prices,
  engine: { max_concurrent_runs: RUNS, max_queued_runs: 200 },
  model: { max_output_tokens: 1_000 },
};

const open: TestRuntime[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

async function openNode(...given: Parameters<typeof openTestRuntime>): Promise<TestRuntime> {
  const runtime = await openTestRuntime(...given);
  open.push(runtime);
  return runtime;
}

/** Uses as much as it may, or a share of that, and counts what it really cost. */
function createGreedyModel(usageOf: (maxOutputTokens: number) => Usage) {
  const total = { calls: 0, pico: 0n, tokens: 0 };
  const model: Model = {
    provider: 'scripted',
    name: 'test',
    toolCalls: 'native',
    async *stream({ maxOutputTokens = 0 }) {
      const usage = usageOf(maxOutputTokens);
      total.calls += 1;
      total.pico += BigInt((usage.inputTokens ?? 0) + 2 * (usage.outputTokens ?? 0));
      total.tokens += (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
      yield { type: 'text', delta: 'ok' };
      yield { type: 'finish', reason: 'stop', usage };
    },
  };
  return { model, total };
}

const submit = (runtime: TestRuntime, projectId = PROJECT) =>
  runtime.runs
    .submit({ agentId: DEFAULT_AGENT_ID, message: 'go', source: 'test', projectId })
    .then(({ run }) => run);

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`budgets on ${engine.name}`, () => {
    test('64 runs at once spend no more than a small cap', async () => {
      const { model, total } = createGreedyModel((maxOutputTokens) => ({
        inputTokens: 100,
        outputTokens: maxOutputTokens,
      }));
      const env = await engine.openEnv();
      const first = await openNode(model, { env, config });
      const nodes =
        engine.name === 'SQLite' ? [first] : [first, await openNode(model, { env, config })];
      const cap = 40_000n;
      await first.costs.setBudget({
        ...{ scope: { kind: 'project', projectId: PROJECT }, pico: cap, tokens: undefined },
      });

      const runs = await Promise.all(
        Array.from({ length: RUNS }, (_, index) => submit(nodes[index % nodes.length] ?? first)),
      );
      const ended = await Promise.all(runs.map(({ id }) => first.awaitEnd(id)));

      const stopped = ended.filter(({ stopReason }) => stopReason === 'max_budget_reached');
      const completed = ended.filter(({ status }) => status === 'completed');
      expect(stopped.length + completed.length).toBe(RUNS);
      expect(stopped.length).toBeGreaterThan(0);
      expect(completed.length).toBe(total.calls);
      expect(total.pico).toBeLessThanOrEqual(cap);
      expect(stopped[0]?.error).toEqual({
        code: 'budget_exceeded',
        message:
          'the budget of project proj_001 in US dollars leaves no room for another call of scripted/test; ' +
          'raise it with claw costs set-budget',
      });
      await expect
        .poll(async () => (await first.costs.summarize(PROJECT)).spentPico, { timeout: 10_000 })
        .toBe(total.pico);
    });

    test('a token cap holds, and new work is refused when it is used up', async () => {
      const { model, total } = createGreedyModel(() => ({ inputTokens: 600, outputTokens: 400 }));
      const runtime = await openNode(model, { env: await engine.openEnv(), config });
      const scope = { kind: 'agent', agentId: DEFAULT_AGENT_ID } as const;
      const [, { tokens = 0 } = {}] = [
        await runtime.costs.setBudget({ scope, pico: undefined, tokens: 1_000_000 }),
        await runtime.costs.setBudget({ scope, pico: undefined, tokens: 1_000_000 }),
      ];
      await runtime.awaitEnd((await submit(runtime)).id);
      await expect
        .poll(async () => (await runtime.costs.listBudgets())[0]?.spent?.tokens)
        .toBe(1_000);

      await runtime.costs.setBudget({ scope, pico: undefined, tokens: 1_000 });

      expect(tokens).toBe(1_000_000);
      await expect(submit(runtime, 'another')).rejects.toMatchObject({
        code: 'budget_exceeded',
        message: `the budget of agent ${DEFAULT_AGENT_ID} in tokens is used up; raise it with claw costs set-budget`,
      });
      expect(total.calls).toBe(1);
    });

    test('counts runs without a budget, each once, and writes nothing before they end', async () => {
      const { model } = createGreedyModel(() => ({ inputTokens: 7, outputTokens: 3 }));
      const env = await engine.openEnv();
      const runtime = await openNode(model, { env, config });

      const runs = await Promise.all([submit(runtime), submit(runtime), submit(runtime)]);
      await Promise.all(runs.map(({ id }) => runtime.awaitEnd(id)));

      await expect
        .poll(async () => (await runtime.costs.summarize(PROJECT)).spentPico, { timeout: 10_000 })
        .toBe(39n);
      expect(await runtime.costs.summarize(PROJECT)).toMatchObject({
        agents: [{ agentId: DEFAULT_AGENT_ID, name: 'Pincer', tokensIn: 21, tokensOut: 9 }],
      });
    });
  });
}

test('a model without a price is refused where money is capped', async () => {
  const model = createScriptedModel({ steps: [{ text: 'hello' }] }, { name: 'unpriced' });
  const runtime = await openNode(model, { config });
  await runtime.costs.setBudget({
    ...{ scope: { kind: 'day' }, pico: parseUsd('10', 'budget'), tokens: undefined },
  });

  const run = await runtime.ask('go');

  expect(run.error).toEqual({
    code: 'policy_denied',
    message:
      'scripted/unpriced has no known price, and the day has a budget in US dollars: ' +
      'set prices.scripted/unpriced in the configuration, or remove the budget',
  });
  expect(model.requests).toEqual([]);
});

test('an answer is shortened to what a budget leaves', async () => {
  const { model } = createGreedyModel((maxOutputTokens) => ({
    inputTokens: 1,
    outputTokens: maxOutputTokens,
  }));
  const asked: number[] = [];
  const counting: Model = {
    ...model,
    stream(request, signal) {
      asked.push(request.maxOutputTokens ?? 0);
      return model.stream(request, signal);
    },
  };
  const runtime = await openNode(counting, { config: { ...config, tools: { granted: [] } } });
  const set = (pico: bigint) =>
    runtime.costs.setBudget({ scope: { kind: 'run' }, pico, tokens: undefined });
  await set(100_000n);
  await runtime.ask('go');
  await set(2_000n);

  await runtime.ask('go');

  const [whole = 0, shortened = 0] = asked;
  expect(whole).toBe(1_000);
  expect(shortened).toBeLessThan(1_000);
  expect(shortened).toBeGreaterThanOrEqual(64);
});
