import { type Client, createClient } from '../../../operations/client.ts';
import type { AnswerOf, Wire } from '../../../operations/operation.ts';
import type { StreamRequest } from '../../../operations/read-stream.ts';
import { createHttpClient } from './http-client.ts';
import { sendAgain } from './send-again.ts';
import { createServerLink, type ServerLinkOptions } from './server-link.ts';
import { streamAgain } from './stream-again.ts';

export interface ServerClient extends Client {
  stream<W extends Wire>(request: StreamRequest<W>): AsyncGenerator<readonly AnswerOf<W>[]>;
}

/** The operations of a running server, which may be restarted meanwhile. */
export function openClient(options: ServerLinkOptions): ServerClient {
  const { clock } = options;
  const link = createServerLink(options);
  const { call } = createClient(
    ({ isRepeatable, ...request }) =>
      isRepeatable ? sendAgain(link, request) : createHttpClient(link.address).send(request),
    () => link.isTrusted,
  );
  return { call, stream: (request) => streamAgain({ link, clock }, request) };
}
