import { afterEach, describe, expect, test } from 'vitest';
import {
  type ProviderRequest,
  type ProviderServer,
  streams,
} from '../../test/support/provider-server.ts';
import { ASK, CASES, collectParts, openServedModel } from '../../test/support/served-model.ts';
import type { Model } from '../core/loop/model.ts';

let server: ProviderServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

const CONCURRENCY = 8;

/** The request tells the server where to cut, so that many can be under way at once. */
function cutPlace(request: ProviderRequest): number {
  return (request.body as { max_tokens: number }).max_tokens - 1;
}

/** The places, out of all below `end`, where a cut did anything but fail in a way worth another attempt. */
async function findUnsafeCuts(model: Model, end: number): Promise<string[]> {
  const unsafe: string[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let place = next++; place < end; place = next++) {
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

// OpenRouter and Ollama go through the same client as openai-compatible.
describe.each(['openai', 'anthropic', 'openai-compatible'] as const)('%s', (provider) => {
  const bytes = Buffer.from(CASES[provider].calls);

  test('hands out no call and no finish when the connection breaks, at whatever byte', async () => {
    const served = await openServedModel(provider, [
      (response, request) => {
        const end = cutPlace(request);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        // The callback of a write comes when the bytes have left; an empty one has none.
        const destroy = () => response.destroy();
        if (end === 0) response.flushHeaders();
        if (end === 0) setImmediate(destroy);
        else response.write(bytes.subarray(0, end), destroy);
      },
    ]);
    server = served.server;

    expect(await findUnsafeCuts(served.model, bytes.length)).toEqual([]);
    expect(served.server.requests).toHaveLength(bytes.length);
  }, 60_000);

  test('acts on a stream that ends in good order only if the provider had finished', async () => {
    // The answer is complete with the event that carries the provider's own reason.
    const mark = provider === 'anthropic' ? 'event: message_stop' : '"finish_reason":"tool_calls"';
    const completeAt = bytes.indexOf('\n', bytes.indexOf(mark));
    const served = await openServedModel(provider, [
      (response, request) => streams(bytes.subarray(0, cutPlace(request)))(response, request),
    ]);
    server = served.server;

    expect(await findUnsafeCuts(served.model, completeAt)).toEqual([]);
    expect(served.server.requests).toHaveLength(completeAt);
  }, 60_000);
});
