import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export interface Body {
  readonly bytes: Buffer;
  readonly truncated: boolean;
}

// A compressed stream can go on for ever without yielding a byte.
const MAX_OVERHEAD_BYTES = 1024 * 1024;

/** Reads up to `maxBytes` of what the response is after decompression, and no more than that into memory. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  const decoder = createDecoder(response.headers['content-encoding']);
  let stream: Readable = response;
  let rawBytes = 0;
  let isTooLong = false;
  if (decoder) {
    response.on('data', (chunk: Buffer) => {
      rawBytes += chunk.length;
      if (rawBytes <= maxBytes + MAX_OVERHEAD_BYTES) return;
      isTooLong = true;
      decoder.destroy();
    });
    response.on('error', (error) => decoder.destroy(error));
    response.on('aborted', () => decoder.destroy(new Error('aborted')));
    stream = response.pipe(decoder);
  }
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const part: Buffer = chunk;
      parts.push(part.subarray(0, maxBytes - size));
      size += part.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    if (!isTooLong) throw error;
  } finally {
    decoder?.destroy();
    response.destroy();
  }
  return { bytes: Buffer.concat(parts), truncated: isTooLong || size > maxBytes };
}

function createDecoder(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
