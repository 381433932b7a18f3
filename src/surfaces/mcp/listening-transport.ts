import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../core/json.ts';
import type { Logger } from '../../core/log.ts';
import { encodeMcpError, reportFault } from './errors.ts';
import { findListenedUris, type ListenStreams } from './listen-streams.ts';

export interface ListeningDeps {
  readonly streams: ListenStreams;
  readonly logger: Logger;
}

/** A transport that takes note of the runs its client wants to hear of; the SDK tells nobody. */
export function createListeningTransport(
  inner: Transport,
  { streams, logger }: ListeningDeps,
): Transport {
  const open = new Map<unknown, () => void>();
  /** Messages in their order: one that opens a stream waits until its runs were looked at. */
  let order: Promise<void> = Promise.resolve();

  async function refuseOrOpen(message: JSONRPCMessage): Promise<JSONRPCMessage | undefined> {
    const uris = findListenedUris(message);
    const { id = null } = message as { readonly id?: string | number };
    if (!uris || id === null || open.has(id)) return undefined;
    try {
      open.set(id, await streams.open(uris));
      return undefined;
    } catch (thrown) {
      const { body } = encodeMcpError(reportFault(logger, thrown));
      return { ...(body as JsonObject), id } as unknown as JSONRPCMessage;
    }
  }

  function noteCancel(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'];
    open.get(id)?.();
    open.delete(id);
  }

  const outer: Transport = {
    start() {
      inner.onmessage = (message, extra) => {
        order = order
          .then(async () => {
            const refusal = await refuseOrOpen(message);
            if (refusal) return inner.send(refusal);
            noteCancel(message);
            outer.onmessage?.(message, extra);
          })
          // One message that can't be dealt with must not hold up all that come after it.
          .catch((error: Error) => outer.onerror?.(error));
      };
      inner.onclose = () => {
        streams.close();
        outer.onclose?.();
      };
      inner.onerror = (error) => outer.onerror?.(error);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  };
  return outer;
}
