import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, test } from 'vitest';
import { type ProviderRequest, type Respond, streams } from '../../test/support/provider-server.ts';
import { ASK, CASES, collectParts, openServedModel } from '../../test/support/served-model.ts';
import { systemClock } from '../core/clock.ts';
import type { Model } from '../core/loop/model.ts';
import { createAiSdkModel } from './ai-sdk-model.ts';

/** OpenRouter and Ollama go through the same client as openai-compatible. */
const CLIENTS = ['openai', 'anthropic', 'openai-compatible'] as const;
type Client = (typeof CLIENTS)[number];

const CONCURRENCY = 8;
/** Sockets cost a hundred times what streams in this process do: over them, the ends of events and one in this many. */
const SOCKET_STEP = 97;

type Ending = 'broken' | 'in good order';

/** The model on a connection that ends where the request says: `maxOutputTokens` is the place, counted from 1. */
function createCutModel(client: Client, bytes: Buffer, ending: Ending): Model {
  const fetch = async (_url: unknown, init?: { body?: unknown }) => {
    const { max_tokens: place } = JSON.parse(String(init?.body)) as { max_tokens: number };
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        if (place > 1) controller.enqueue(bytes.subarray(0, place - 1));
        if (ending === 'in good order') controller.close();
      },
      // Not at once: an error would overtake what is still to be read.
      pull: (controller) => controller.error(new TypeError('terminated')),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const settings = { baseURL: 'http://127.0.0.1:9/v1', apiKey: 'k', fetch };
  const languageModel = {
    openai: () => createOpenAI(settings).chat('x'),
    anthropic: () => createAnthropic(settings).languageModel('x'),
    'openai-compatible': () =>
      createOpenAICompatible({ ...settings, name: 'x', includeUsage: true }).chatModel('x'),
  }[client]();
  const key = { key: 'k', keyVariable: undefined, keyPlace: undefined };
  const endpoint = { provider: client, baseUrl: settings.baseURL, ...key };
  return createAiSdkModel({
    connect: async () => ({ languageModel, endpoint }),
    provider: client,
    name: 'x',
    toolCalls: 'native',
    mayLackTools: false,
    timeoutMs: 10_000,
    clock: systemClock,
  });
}

/** Of these places, the ones where a cut did anything but fail in a way worth another attempt. */
async function findUnsafeCuts(model: Model, places: readonly number[]): Promise<string[]> {
  const unsafe: string[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let at = next++; at < places.length; at = next++) {
      const place = places[at] ?? 0;
      const { parts, error } = await collectParts(model, { ...ASK, maxOutputTokens: place + 1 });
      const acted = parts.some((part) => part.type === 'tool_call' || part.type === 'finish');
      if (acted || error?.code !== 'provider_failed' || !error.retryable) {
        unsafe.push(`${place}: ${JSON.stringify(parts)} ${error?.code}`);
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return unsafe;
}

const everyPlace = (end: number) => Array.from({ length: end }, (_, place) => place);

function sampledPlaces(bytes: Buffer, end: number): number[] {
  return everyPlace(end).filter(
    (place) => place % SOCKET_STEP === 0 || bytes.subarray(place - 2, place + 1).includes('\n\n'),
  );
}

/** The answer is complete with the event that carries the provider's own reason. */
function completePlace(client: Client, bytes: Buffer): number {
  const mark = client === 'anthropic' ? 'event: message_stop' : '"finish_reason":"tool_calls"';
  return bytes.indexOf('\n', bytes.indexOf(mark));
}

function cutPlace(request: ProviderRequest): number {
  return (request.body as { max_tokens: number }).max_tokens - 1;
}

async function openSocketModel(client: Client, respond: Respond): Promise<Model> {
  return (await openServedModel(client, [respond])).model;
}

describe.each(CLIENTS)('%s', (client) => {
  const bytes = Buffer.from(CASES[client].calls);

  test('hands out the calls of a stream that is whole', async () => {
    const model = createCutModel(client, bytes, 'in good order');

    const { parts } = await collectParts(model, { ...ASK, maxOutputTokens: bytes.length + 1 });

    expect(parts.map((part) => part.type)).toContain('tool_call');
    expect(parts.at(-1)?.type).toBe('finish');
  });

  test('hands out no call and no finish when the stream breaks, at whatever byte', async () => {
    const model = createCutModel(client, bytes, 'broken');

    expect(await findUnsafeCuts(model, everyPlace(bytes.length))).toEqual([]);
  });

  test('acts on a stream that ends in good order only if the provider had finished', async () => {
    const model = createCutModel(client, bytes, 'in good order');

    expect(await findUnsafeCuts(model, everyPlace(completePlace(client, bytes)))).toEqual([]);
  });

  test('hands out no call and no finish when the connection breaks', async () => {
    const model = await openSocketModel(client, (response, request) => {
      const end = cutPlace(request);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // The callback of a write comes when the bytes have left; an empty one has none.
      const destroy = () => response.destroy();
      if (end === 0) response.flushHeaders();
      if (end === 0) setImmediate(destroy);
      else response.write(bytes.subarray(0, end), destroy);
    });

    expect(await findUnsafeCuts(model, sampledPlaces(bytes, bytes.length))).toEqual([]);
  });

  test('acts on a connection that ends in good order only if the provider had finished', async () => {
    const model = await openSocketModel(client, (response, request) =>
      streams(bytes.subarray(0, cutPlace(request)))(response, request),
    );
    const places = sampledPlaces(bytes, completePlace(client, bytes));

    expect(await findUnsafeCuts(model, places)).toEqual([]);
  });
});
