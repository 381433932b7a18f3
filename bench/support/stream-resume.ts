import { connect } from 'node:net';

/** Begins the text of every event, and is nowhere else in an answer. */
export const EVENT_MARK = '#';
const MARK_BYTE = EVENT_MARK.charCodeAt(0);

export interface Resume {
  readonly port: number;
  readonly request: Buffer;
  readonly events: number;
}

/** Milliseconds from the connection to the last of the stored events, by a client that costs as little as possible. */
export function resumeMs({ port, request, events }: Resume): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let left = events;
    let isFirst = true;
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`the stream ended with ${left} events missing`)));
    socket.on('data', (chunk) => {
      if (isFirst && !chunk.toString('latin1').startsWith('HTTP/1.1 200')) {
        reject(new Error(chunk.toString('latin1', 0, 500)));
        socket.destroy();
        return;
      }
      isFirst = false;
      for (let at = chunk.indexOf(MARK_BYTE); at !== -1; at = chunk.indexOf(MARK_BYTE, at + 1)) {
        left -= 1;
      }
      if (left > 0) return;
      resolve(performance.now() - startedAt);
      socket.destroy();
    });
    socket.write(request);
  });
}
