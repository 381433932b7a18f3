import { createDeltaJoiner } from './join-deltas.ts';

const EVENT_STREAM = 'text/event-stream';

/** `fetch` whose event streams come with deltas joined that arrived together. */
export const fetchJoined: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const isStream = response.headers.get('content-type')?.startsWith(EVENT_STREAM) ?? false;
  if (!response.body || !isStream) return response;
  const { status, statusText, headers } = response;
  return new Response(joinBody(response.body), { status, statusText, headers });
};

function joinBody(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const joiner = createDeltaJoiner();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        const text = done
          ? joiner.join(decoder.decode()) + joiner.end()
          : joiner.join(decoder.decode(value, { stream: true }));
        if (text !== '') controller.enqueue(encoder.encode(text));
        if (done) controller.close();
        if (done || text !== '') return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
