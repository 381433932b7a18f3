import { expect, test } from 'vitest';
import { openLoopRig } from '../../../test/runs/loop-rig.ts';
import type { JsonObject } from '../json.ts';
import type { Model } from './model.ts';

const CLIENT_TOOLS = [{ name: 'map.show', description: '', inputSchema: {} }];
const USAGE = { inputTokens: 1, outputTokens: 1 };

/** Calls the client's tool once and then answers. */
function callingModel(): Model {
  return {
    provider: 'test',
    name: 'test',
    toolCalls: 'native',
    async *stream({ messages }) {
      if (messages.at(-1)?.role === 'user') {
        yield { type: 'tool_call', call: { callId: 'call_1', tool: 'map.show', input: {} } };
      } else yield { type: 'text', delta: 'done' };
      yield { type: 'finish', reason: 'stop', usage: USAGE };
    },
  };
}

/** What the log has as the result when the client answers with this. */
async function answerWith(payload: JsonObject): Promise<JsonObject> {
  const rig = openLoopRig({ model: callingModel(), clientTools: CLIENT_TOOLS });
  rig.send('user_message', { text: 'go' });
  await rig.run();
  rig.send('tool_result', { tool_call_id: 'call_1', ...payload });
  await rig.run();
  return rig.log.find(({ type }) => type === 'tool.result')?.payload ?? {};
}

test('a call is announced once, and its result goes by the request id of the announcement', async () => {
  const rig = openLoopRig({ model: callingModel(), clientTools: CLIENT_TOOLS });
  rig.send('user_message', { text: 'go' });
  await rig.run();
  rig.crash();
  await rig.run();
  rig.send('tool_output', { id: 'call_1', result: { at: 'Rome' } });
  await rig.run();

  const called = rig.log.filter(({ type }) => type === 'tool.call');
  const result = rig.log.find(({ type }) => type === 'tool.result')?.payload;

  expect(called.map(({ payload }) => payload['executed_by'])).toEqual(['client']);
  expect(result).toMatchObject({
    request_id: called[0]?.payload['request_id'],
    tool_call_id: 'call_1',
    ok: true,
    output: { at: 'Rome' },
    frame_id: 'frm_2',
  });
});

test.each([
  [{ output: 'a text' }, { ok: true, output: { content: 'a text' } }],
  [
    { output: { a: 1 }, summary: 'found' },
    { ok: true, output: { a: 1 }, summary: 'found' },
  ],
  [{}, { ok: true, output: {} }],
  [
    { error: null, output: { a: 1 } },
    { ok: true, output: { a: 1 } },
  ],
  [{ error: 'no map' }, { ok: false, error: { message: 'no map' } }],
  [{ error: { message: 'no map' } }, { ok: false, error: { message: 'no map' } }],
  [{ ok: false }, { ok: false, error: { message: 'the client could not carry the call out' } }],
])('%j becomes a result', async (payload, expected) => {
  expect(await answerWith(payload)).toMatchObject(expected);
});

test('a huge result is cut in the log, between two characters', async () => {
  const { output } = (await answerWith({ output: { a: '🦀'.repeat(100_000) } })) as {
    output: { truncated: boolean; chars: number; excerpt: string };
  };

  expect([output.truncated, output.chars]).toEqual([true, 200_008]);
  expect(output.excerpt.length).toBeLessThanOrEqual(64_000);
  expect(output.excerpt.isWellFormed()).toBe(true);
});

test('what the model reads of a result is cut between two characters', async () => {
  const rig = openLoopRig({ model: callingModel(), clientTools: CLIENT_TOOLS });
  rig.send('user_message', { text: 'go' });
  await rig.run();
  rig.send('tool_result', { tool_call_id: 'call_1', output: { a: `x${'🦀'.repeat(20_000)}` } });
  await rig.run();

  const read = rig.fold().messages.find(({ role }) => role === 'tool')?.text;

  expect(read?.isWellFormed()).toBe(true);
  expect(read?.length).toBeLessThan(16_100);
});

test('an error and a summary without end are bounded', async () => {
  const failed = await answerWith({ error: 'e'.repeat(1_000_000) });
  const succeeded = await answerWith({ output: {}, summary: 's'.repeat(1_000_000) });

  expect((failed['error'] as { message: string }).message).toHaveLength(2_000);
  expect(succeeded['summary']).toHaveLength(2_000);
});
