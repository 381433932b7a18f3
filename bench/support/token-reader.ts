import { connect } from 'node:net';
import { nowMicros, readStamps } from './token-stamps.ts';

export interface TokenLags {
  /** Milliseconds from the provider to this reader, for each stamped token in order. */
  readonly lagsMs: readonly number[];
}

const MAX_STREAM_MS = 60_000;
/** Of HTTP; one may stand in the middle of a stamp. */
const CHUNK_HEAD = /\r\n[0-9a-f]+\r\n/g;
/** A stamp with a head in it fits in here. */
const MAX_CUT_CHARS = 40;

/**
 * Reads a stream to its end. The whole answer may be told once more there: a stamp counts when it is newer than those
 * before it.
 */
export function readTokens(port: number, request: Buffer): Promise<TokenLags> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const lagsMs: number[] = [];
    let newest = 0;
    let carried = '';
    let isFirst = true;
    const fail = (reason: string) => {
      clearTimeout(limit);
      socket.destroy();
      reject(new Error(reason));
    };
    const limit = setTimeout(() => fail('the stream does not end'), MAX_STREAM_MS);
    socket.once('error', (error) => fail(error.message));
    socket.on('data', (chunk) => {
      const now = nowMicros();
      const text = carried + chunk.toString('latin1');
      if (isFirst && !text.startsWith('HTTP/1.1 200')) return fail(text.slice(0, 500));
      isFirst = false;
      for (const sentAt of readStamps(text.replace(CHUNK_HEAD, ''))) {
        if (sentAt <= newest) continue;
        newest = sentAt;
        lagsMs.push((now - sentAt) / 1000);
      }
      carried = text.slice(-MAX_CUT_CHARS);
      if (!text.endsWith('0\r\n\r\n')) return;
      clearTimeout(limit);
      socket.destroy();
      resolve({ lagsMs });
    });
    socket.write(request);
  });
}
