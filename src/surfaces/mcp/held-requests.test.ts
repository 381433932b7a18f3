import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { McpServer } from './create-mcp-server.ts';
import { listen, TOKEN, until } from './test-mcp-server.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Answers with streams that never end, and keeps nothing of the requests but whether they are there. */
function createIdleServer() {
  const asked: WeakRef<Request>[] = [];
  const server = {
    async handle(request: Request) {
      asked.push(new WeakRef(request));
      request.signal.addEventListener('abort', () => {
        aborted += 1;
      });
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(': open\n\n')),
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    close: async () => {},
  } as unknown as McpServer;
  let aborted = 0;
  return {
    server,
    countHeld: () => asked.filter((one) => one.deref() !== undefined).length,
    countAborted: () => aborted,
  };
}

async function openStream(url: string, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, accept: 'text/event-stream' };
  const { body } = await fetch(url, { headers, signal });
  const reader = body?.getReader();
  await reader?.read();
  // A stream that nobody reads is given up.
  void reader?.read().catch(() => {});
}

test('requests are held while their readers stay, and let go when they leave', async () => {
  const { server, countHeld, countAborted } = createIdleServer();
  const url = await listen(server);
  const left = new AbortController();
  const STREAMS = 8;
  for (let count = 0; count < STREAMS; count += 1) await openStream(url, left.signal);

  // What can be collected is, some turns of the loop later.
  for (let round = 0; round < 5; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const held = countHeld();
  left.abort();
  await until(() => countAborted() === STREAMS);
  await until(() => {
    collect();
    return countHeld() === 0;
  });

  expect(held).toBe(STREAMS);
});
