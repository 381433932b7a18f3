import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { expect, onTestFinished } from 'vitest';

export interface StreamFrame {
  readonly event: string;
  readonly id: number;
  /** Parsed, but for `[DONE]`. */
  readonly data: unknown;
}

export interface StreamReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Everything received so far, comments and fields included. */
  text(): string;
  /** Frames that are complete. */
  frames(): StreamFrame[];
  /** Resolves when the server ended the stream properly, rejects when it was cut. */
  readonly ended: Promise<void>;
  /** Waits until so many frames are there. */
  awaitFrames(count: number): Promise<StreamFrame[]>;
  leave(): void;
}

const WAIT_MS = 10_000;

/** A reader of an event stream that gets its headers ready-made: they are signed for one request. */
export async function openSignedStream(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<StreamReader> {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    headers: { accept: 'text/event-stream', ...headers },
    agent: false,
  });
  onTestFinished(() => {
    outgoing.destroy();
  });
  outgoing.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    response.once('end', resolve);
    response.once('error', reject);
  });
  // A test that leaves on purpose does not look at how it ended.
  ended.catch(() => {});
  const text = () => Buffer.concat(chunks).toString('utf8');
  const frames = () => parseFrames(text());
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    frames,
    ended,
    async awaitFrames(count) {
      await expect.poll(() => frames().length, { timeout: WAIT_MS }).toBeGreaterThanOrEqual(count);
      return frames();
    },
    leave: () => outgoing.destroy(),
  };
}

/** `event`, `id` and `data` in any order, as the standard has it. */
export function parseFrames(text: string): StreamFrame[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const fields = new Map(block.split('\n').map(splitField));
    const data = fields.get('data');
    if (data === undefined) return [];
    return [
      {
        event: fields.get('event') ?? 'message',
        id: Number(fields.get('id')),
        data: data === '[DONE]' ? data : JSON.parse(data),
      },
    ];
  });
}

function splitField(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}
