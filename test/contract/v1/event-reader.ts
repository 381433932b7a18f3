import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
} from 'node:http';
import { onTestFinished } from 'vitest';
import { TOKEN } from './http-client.ts';

interface Frame {
  readonly id: number;
  readonly event: string;
  readonly data: string;
}

export interface EventReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Everything received so far, comments and fields included. */
  text(): string;
  /** Frames that are complete. */
  frames(): Frame[];
  /** Resolves when the server ended the stream properly, rejects when it was cut. */
  readonly ended: Promise<void>;
  leave(): void;
}

export interface ReadOptions {
  readonly headers?: Record<string, string>;
  /** Leaves after this many bytes, wherever in a frame that is. */
  readonly leaveAfterBytes?: number;
}

/** A reader of an event stream, as a browser or our own CLI would be. */
export async function openEvents(
  port: number,
  path: string,
  options: ReadOptions = {},
): Promise<EventReader> {
  const headers = { authorization: `Bearer ${TOKEN}`, ...options.headers };
  const outgoing = request({ host: '127.0.0.1', port, path, headers, agent: false });
  onTestFinished(() => {
    outgoing.destroy();
  });
  outgoing.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  return readFrom(outgoing, response, options.leaveAfterBytes ?? Number.POSITIVE_INFINITY);
}

function readFrom(
  outgoing: ClientRequest,
  response: IncomingMessage,
  leaveAfterBytes: number,
): EventReader {
  const chunks: Buffer[] = [];
  let received = 0;
  const text = () => Buffer.concat(chunks).subarray(0, leaveAfterBytes).toString('utf8');
  const ended = new Promise<void>((resolve, reject) => {
    response.once('end', resolve);
    response.once('error', reject);
  });
  // A test that leaves on purpose does not look at how it ended.
  ended.catch(() => {});
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    received += chunk.length;
    if (received >= leaveAfterBytes) response.destroy(new Error('left'));
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    frames: () => parseFrames(text()),
    ended,
    leave: () => outgoing.destroy(),
  };
}

function parseFrames(text: string): Frame[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const match = /^id: (\d+)\nevent: (\S+)\ndata: (.*)$/.exec(block);
    return match ? [{ id: Number(match[1]), event: match[2] ?? '', data: match[3] ?? '' }] : [];
  });
}
