import type { FetchLike } from '@modelcontextprotocol/client';
import { currentTraceHeaders } from './call-trace.ts';

export interface BoundedFetchOptions {
  /** Of a whole answer, or of one event of a stream: streams may live for as long as they like. */
  readonly maxBytes: number;
  /** A stream that was to bring the answer to a request broke off: the answer will never come. */
  readonly onAnswerLost: (error: Error) => void;
}

/** `fetch`, unable to fill our memory, in the trace of the call that asks. */
export function createBoundedFetch(options: BoundedFetchOptions): FetchLike {
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(currentTraceHeaders())) headers.set(name, value);
    const response = await fetch(url, { ...init, headers });
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const bounded = response.body.pipeThrough(limitBytes(options.maxBytes, isStream));
    const body =
      isStream && init?.method === 'POST'
        ? observeFailure(bounded, (error) => {
            if (init.signal?.aborted !== true) options.onAnswerLost(error);
          })
        : bounded;
    return new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

const NEWLINE = 10;
const RETURN = 13;

function limitBytes(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let isLineEmpty = false;
  return new TransformStream({
    transform(chunk, controller) {
      if (!isStream) bytes += chunk.length;
      else {
        for (const byte of chunk) {
          bytes += 1;
          if (byte === NEWLINE) {
            // An empty line ends an event.
            if (isLineEmpty) bytes = 0;
            isLineEmpty = true;
          } else if (byte !== RETURN) isLineEmpty = false;
        }
      }
      if (bytes > maxBytes) {
        controller.error(new Error(`a message is larger than ${maxBytes} bytes`));
        return;
      }
      controller.enqueue(chunk);
    },
  });
}

function observeFailure(
  stream: ReadableStream<Uint8Array>,
  onFailure: (error: Error) => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error('the stream broke off');
        controller.error(error);
        onFailure(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
