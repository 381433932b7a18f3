import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { limitAnswer } from '../answers/limit-answer.ts';

export interface EventStream {
  /** Aborts when the reader left, was dropped for being too slow, or the stream was closed. */
  readonly signal: AbortSignal;
  /**
   * Many frames go in one write, bytes in their own. A promise: the reader has no room for more until it resolves, or the
   * stream is over then.
   */
  send(frames: Iterable<string | Uint8Array>): Promise<void> | undefined;
  close(): void;
}

export interface EventStreamOptions {
  readonly stallMs: number;
  readonly heartbeatMs: number;
}

/** How long a reader waits before it comes back. */
const RETRY_MS = 1000;
/** Named, since without a reason an error with its stack is made of each end, and a stream ends twice. */
const OVER = 'over';
const HEARTBEAT = ': keep-alive\n\n';
// One write per frame costs a system call each; one write per page could hold megabytes for a slow reader.
export const MAX_WRITE_CHARS = 64 * 1024;

export function openEventStream(reply: FastifyReply, options: EventStreamOptions): EventStream {
  reply.hijack();
  const response = reply.raw;
  const ended = new AbortController();
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string | string[]>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-store',
    'x-accel-buffering': 'no',
  });
  response.write(`retry: ${RETRY_MS}\n\n`);

  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(HEARTBEAT);
  }, options.heartbeatMs);
  heartbeat.unref();

  const end = () => {
    clearInterval(heartbeat);
    ended.abort(OVER);
  };
  response.once('close', end);
  response.on('error', end);
  // A reader who left before this says nothing any more: no close, no error, no drain.
  if (response.destroyed) end();

  const pieces = (frames: Iterable<string | Uint8Array>) => joinFrames(frames)[Symbol.iterator]();

  /** Writes until the reader has no room; false when everything is written or nobody reads any more. */
  function fill(rest: Iterator<string | Uint8Array>): boolean {
    while (!ended.signal.aborted) {
      const { done, value } = rest.next();
      if (done) return false;
      if (!response.write(value)) return true;
    }
    return false;
  }

  async function drain(rest: Iterator<string | Uint8Array>): Promise<void> {
    do await drained(response, ended.signal, options.stallMs);
    while (fill(rest));
  }

  return {
    signal: ended.signal,

    send(frames) {
      const rest = pieces(frames);
      return fill(rest) ? drain(rest) : undefined;
    },

    close() {
      end();
      response.end();
      limitAnswer(response, options.stallMs);
    },
  };
}

function* joinFrames(frames: Iterable<string | Uint8Array>): Generator<string | Uint8Array> {
  let text = '';
  for (const frame of frames) {
    if (typeof frame === 'string') {
      text += frame;
      if (text.length < MAX_WRITE_CHARS) continue;
    }
    if (text !== '') yield text;
    if (typeof frame !== 'string') yield frame;
    text = '';
  }
  if (text !== '') yield text;
}

/** Waits until the reader has taken what is buffered. One that takes nothing for `stallMs` is dropped. */
function drained(response: ServerResponse, signal: AbortSignal, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      response.off('drain', settle);
      signal.removeEventListener('abort', settle);
      resolve();
    };
    const timer = setTimeout(() => response.destroy(), stallMs);
    response.on('drain', settle);
    signal.addEventListener('abort', settle, { once: true });
  });
}
