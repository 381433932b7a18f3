import type { FastifyReply } from 'fastify';
import { RuntimeError } from '../../../core/errors.ts';
import { type EventStream, openEventStream } from './event-stream.ts';

export interface EventStreams {
  /** Takes the reply over. Throws, while an envelope can still be sent, when too many are open or all were closed. */
  open(reply: FastifyReply): EventStream;
  /** Ends every stream, and none is opened any more: readers come back with the last id they saw. */
  closeAll(): void;
}

export interface EventStreamsOptions {
  readonly maxStreams: number;
  readonly stallMs: number;
  readonly heartbeatMs: number;
  readonly onCount: (count: number) => void;
}

const RETRY_AFTER_SECONDS = 5;

export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const streams = new Set<EventStream>();
  let isClosed = false;

  return {
    open(reply) {
      if (isClosed) throw new RuntimeError('shutting_down', 'server is shutting down');
      if (streams.size >= options.maxStreams) {
        throw new RuntimeError('rate_limited', `too many open streams (${options.maxStreams})`, {
          details: { retry_after_seconds: RETRY_AFTER_SECONDS },
        });
      }
      const stream = openEventStream(reply, options);
      if (stream.signal.aborted) return stream;
      streams.add(stream);
      options.onCount(streams.size);
      // Who is signed out hears no more.
      const unhook = reply.request.caller?.whenEnded?.(() => stream.close());
      stream.signal.addEventListener(
        'abort',
        () => {
          unhook?.();
          streams.delete(stream);
          options.onCount(streams.size);
        },
        { once: true },
      );
      return stream;
    },

    closeAll() {
      isClosed = true;
      for (const stream of [...streams]) stream.close();
    },
  };
}
