import { type IncomingMessage, request } from 'node:http';
import type { Random } from '../torture/random.ts';
import type { ServerLives } from '../torture/server-lives.ts';
import { sign, THREAD_ID } from './thread-run.ts';

export interface CutReader {
  readonly lives: ServerLives;
  readonly runId: string;
  readonly random: Random;
  readonly tally: CutTally;
  /** Called after each event. */
  readonly onEvent: (seq: number) => void;
}

/** What all readers together have been through. */
export interface CutTally {
  readonly target: number;
  cuts: number;
  /** Cuts that left part of a frame behind. */
  midFrame: number;
  /** Connections that died with their server, or were refused while there was none. */
  lost: number;
}

export interface ReadFrame {
  readonly id: number;
  readonly data: string;
}

const MAX_CONNECTIONS = 20_000;
/** Connections are cut within their first bytes as well as after many frames. */
const MAX_BYTES_BEFORE_CUT = 4_000;
const RETRY_MS = 10;
const FRAME = /^event: message\nid: (\d+)\ndata: (.*)$/s;

/**
 * Reads the run from its first event to [DONE], over as many connections as it takes, each cut somewhere, and going on
 * after the last whole frame. What a frame repeats or leaves out is in the answer as it came.
 */
export async function readWithCuts(reader: CutReader): Promise<ReadFrame[]> {
  const frames: ReadFrame[] = [];
  for (let count = 0; count < MAX_CONNECTIONS; count += 1) {
    try {
      if (await readOnce(reader, frames)) return frames;
    } catch {
      reader.tally.lost += 1;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  throw new Error(`no end of ${reader.runId} after ${MAX_CONNECTIONS} connections`);
}

/** True at [DONE]. */
async function readOnce(reader: CutReader, frames: ReadFrame[]): Promise<boolean> {
  const { random, tally } = reader;
  const response = await open(reader, frames.at(-1)?.id ?? 0);
  const isCut = tally.cuts < tally.target;
  let leftBytes = isCut ? random.between(1, MAX_BYTES_BEFORE_CUT) : Number.POSITIVE_INFINITY;
  let pending = Buffer.alloc(0);
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const taken = chunk.subarray(0, leftBytes);
    leftBytes -= taken.length;
    pending = Buffer.concat([pending, taken]);
    for (let end = pending.indexOf('\n\n'); end !== -1; end = pending.indexOf('\n\n')) {
      const frame = parseFrame(pending.toString('utf8', 0, end));
      pending = pending.subarray(end + 2);
      if (frame?.data === '[DONE]') return true;
      if (frame) frames.push(frame);
      if (frame) reader.onEvent(frame.id);
    }
    if (leftBytes > 0) continue;
    tally.cuts += 1;
    if (pending.length > 0) tally.midFrame += 1;
    // Leaving the loop destroys the connection, with whatever it still holds.
    return false;
  }
  return false;
}

function parseFrame(text: string): ReadFrame | undefined {
  const [, id, data] = FRAME.exec(text) ?? [];
  return id === undefined || data === undefined ? undefined : { id: Number(id), data };
}

async function open({ lives, runId, random }: CutReader, after: number): Promise<IncomingMessage> {
  const inHeader = random.chance(0.5);
  const cursor = inHeader ? '' : `&cursor=${after}`;
  const url = `${await lives.url()}/internal/v1/runs/${runId}/stream?thread_id=${THREAD_ID}${cursor}`;
  const headers = { ...sign({ runId }), ...(inHeader ? { 'last-event-id': String(after) } : {}) };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: false, headers });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      if (response.statusCode === 200) return resolve(response);
      response.resume();
      reject(new Error(`status ${response.statusCode}`));
    });
    outgoing.end();
  });
}
