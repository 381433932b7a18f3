import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import type { RunId } from '../../src/core/ids.ts';
import type { ModelRequest } from '../../src/core/loop/model.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime } from '../support/open-test-runtime.ts';

const look = defineTool({
  name: 'test.look',
  description: '',
  effect: 'read',
  input: z.object({ for: z.string() }),
  execute: async ({ for: what }) => ({ seen: what }),
});

/** A run that looks once and answers, and all that its model was asked. */
async function record(policy: object = {}) {
  const call = { tool: 'test.look', callId: 'look_1', input: { for: 'a shell' } };
  const model = createScriptedModel({ steps: [{ toolCalls: [call] }, { text: 'seen' }] });
  const requests: ModelRequest[] = [];
  const listening = {
    ...model,
    stream(request: ModelRequest, signal: AbortSignal) {
      requests.push(request);
      return model.stream(request, signal);
    },
  };
  const config = { tools: { granted: ['test.look'] }, policy };
  const runtime = await openTestRuntime(listening, { tools: [look], config });
  onTestFinished(() => runtime.dispose());
  return { runtime, requests, run: await runtime.submit('look around') };
}

test('each turn of an ended run shows what its model got', async () => {
  const { runtime, run, requests } = await record();
  await runtime.awaitEnd(run.id);

  const prompts = [
    await runtime.replays.prompt(run.id, 1),
    await runtime.replays.prompt(run.id, 2),
  ];

  expect(requests).toHaveLength(2);
  expect(prompts.map(({ toolNames }) => toolNames)).toEqual([['test.look'], ['test.look']]);
  const asked = (await runtime.events(run.id)).filter(({ type }) => type === 'model.requested');
  // Once: it did not change.
  expect(asked.map(({ payload }) => payload['tool_names'])).toEqual(['test.look', undefined]);
  expect(prompts.map(({ system, messages }) => ({ system, messages }))).toEqual(
    requests.map(({ system, messages }) => ({ system, messages })),
  );
  expect(prompts[1]).toMatchObject({
    turn: 2,
    mode: 'normal',
    toolCount: requests[1]?.tools.length,
    messages: [
      { role: 'user', text: 'look around' },
      { role: 'assistant', toolCalls: [{ tool: 'test.look' }] },
      { role: 'tool', tool: 'test.look', ok: true },
    ],
  });
});

test('a run that waits for a person shows what it was asked so far', async () => {
  const { runtime, run, requests } = await record({
    rules: [{ tool: 'test.look', decision: 'ask' }],
  });
  await expect
    .poll(async () => (await runtime.runs.get(run.id)).status, { timeout: 30_000 })
    .toBe('waiting');

  const { messages, system } = await runtime.replays.prompt(run.id, 1);

  expect({ messages, system }).toEqual({
    messages: requests[0]?.messages,
    system: requests[0]?.system,
  });
});

test('a turn that was not taken, and a run that is not there, are not found', async () => {
  const { runtime, run } = await record();
  await runtime.awaitEnd(run.id);

  await expect(runtime.replays.prompt(run.id, 3)).rejects.toMatchObject({
    code: 'not_found',
    message: `run ${run.id} has no turn 3`,
  });
  await expect(runtime.replays.prompt('run_none' as RunId, 1)).rejects.toMatchObject({
    code: 'not_found',
  });
});
