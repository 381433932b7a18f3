import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import { openTestRuntime } from '../support/open-test-runtime.ts';
import {
  chatDelta,
  chatUsage,
  type Respond,
  streams,
  toChatStream,
} from '../support/provider-server.ts';
import { openServedModel } from '../support/served-model.ts';

const CONFIG = { tools: { granted: ['*'] }, memory: { recall_timeout_ms: 10_000 } };
const PLACE = { channel: 'http', userId: 'ana', roomId: 'dev-room' };

function calls(id: string, cached: number): Respond {
  const call = { index: 0, id, type: 'function', function: { name: 'time__now', arguments: '{}' } };
  const usage = chatUsage(2_000, 10, cached);
  return streams(
    toChatStream([chatDelta({ tool_calls: [call] }), chatDelta({}, 'tool_calls'), usage]),
  );
}

function says(content: string, cached: number): Respond {
  const usage = chatUsage(2_000, 10, cached);
  return streams(toChatStream([chatDelta({ content }), chatDelta({}, 'stop'), usage]));
}

interface Asked {
  readonly tools: unknown;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

async function openAsked(...responders: Respond[]) {
  const { model, server } = await openServedModel('openai', responders);
  const runtime = await openTestRuntime(model, { config: CONFIG });
  onTestFinished(() => runtime.dispose());
  await runtime.memories.ingest({
    ...{ owner: 'operator', agent: DEFAULT_AGENT_ID, projectId: 'proj_001', source: 'chat' },
    ...{ timestampMs: Date.UTC(2026, 1, 18), content: 'Tea is served at five o’clock' },
  });
  return { runtime, asked: () => server.requests.map(({ body }) => body as Asked) };
}

/** What a provider's cache goes by: the request from its first token on, without what closes the list. */
function toPrefix({ tools, messages }: Asked): string {
  return JSON.stringify([tools, ...messages]).slice(0, -1);
}

test('each turn of a run asks with all of the turn before in front, byte for byte', async () => {
  const { runtime, asked } = await openAsked(
    calls('a', 0),
    calls('b', 1_500),
    says('at five', 1_800),
  );

  const run = await runtime.ask('when is tea served?');

  const [first, second, third] = asked();
  if (!first || !second || !third) throw new Error('there were not three turns');
  expect(JSON.stringify(first.messages)).toContain('<memories>');
  expect(toPrefix(second).startsWith(toPrefix(first))).toBe(true);
  expect(toPrefix(third).startsWith(toPrefix(second))).toBe(true);
  const usages = (await runtime.events(run.id))
    .filter(({ type }) => type === 'model.completed')
    .map(({ payload }) => payload['usage']);
  expect(usages).toEqual(
    [0, 1_500, 1_800].map((cached) => ({
      input_tokens: 2_000,
      output_tokens: 10,
      cached_input_tokens: cached,
    })),
  );
});

test('a later run of a conversation asks with what was said before in front', async () => {
  const { runtime, asked } = await openAsked(says('at five', 0), says('in the hall', 1_500));
  for (const message of ['when is tea served?', 'and where is tea served?']) {
    const reply = await runtime.chat.send({ place: PLACE, message });
    if (reply.kind !== 'queued') throw new Error(reply.response);
    await runtime.awaitEnd(reply.run.id);
  }

  const [first, second] = asked();
  if (!first || !second) throw new Error('there were not two runs');

  expect(second.tools).toEqual(first.tools);
  expect(second.messages[0]).toEqual(first.messages[0]);
  expect(second.messages.slice(1, 3).map(({ content }) => content)).toEqual([
    'when is tea served?',
    'at five',
  ]);
});
