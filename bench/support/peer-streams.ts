import type { FanOut } from './fan-out.ts';
import { encodeRequest, openConnection } from './http-connection.ts';

export interface PeerStream extends FanOut {
  streamRequest(): Buffer;
  fill(count: number, text: string): Promise<void>;
  close(): void;
}

const BATCH = 500;

/** A JSON stream on a server of `@durable-streams/server`. */
export async function openPeerStream(port: number, name: string): Promise<PeerStream> {
  const path = `/${name}`;
  const connection = await openConnection(port);
  const send = async (method: 'PUT' | 'POST', body: string) => {
    const { status, body: answer } = await connection.send(encodeRequest({ method, path, body }));
    if (status > 204) throw new Error(`${method} ${path} answered ${status}: ${answer}`);
  };
  await send('PUT', '');
  return {
    port,
    streamRequest: () => encodeRequest({ method: 'GET', path: `${path}?offset=-1&live=sse` }),
    append: (text) => send('POST', JSON.stringify({ text })),
    async fill(count, text) {
      for (let left = count; left > 0; left -= BATCH) {
        const batch = Array.from({ length: Math.min(left, BATCH) }, () => ({ text }));
        await send('POST', JSON.stringify(batch));
      }
    },
    close: () => connection.close(),
  };
}
