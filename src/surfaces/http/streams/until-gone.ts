import type { FastifyReply } from 'fastify';

/** Aborts when the caller hangs up, or is cut off by a server that ends. */
export function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
