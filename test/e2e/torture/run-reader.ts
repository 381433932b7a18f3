import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ClientMemory, ClientRun, Reader } from './client-memory.ts';
import { openResponse } from './http-request.ts';
import type { ServerLives } from './server-lives.ts';

export interface ReadRun {
  readonly lives: ServerLives;
  readonly memory: ClientMemory;
  readonly run: ClientRun;
  /** Leaves its first connection after this many events, as a reader with a bad network does. */
  readonly leaveAfter: number | undefined;
  /** Called after each event. */
  readonly onEvent: (seq: number) => void;
}

/** A run of the workload ends long before; a reader that needs more connections than that goes in circles. */
const MAX_CONNECTIONS = 2_000;
const RETRY_MS = 5;

/** Reads a run to its end, over as many servers as it takes, each time going on after the last event it has. */
export async function readRun(options: ReadRun): Promise<void> {
  const { lives, memory, run } = options;
  const reader: Reader = { events: [], connections: 0, isDone: false };
  run.readers.push(reader);
  while (!reader.isDone) {
    if (reader.connections >= MAX_CONNECTIONS) {
      memory.violations.push(`${run.id}: no end after ${MAX_CONNECTIONS} connections`);
      return;
    }
    const url = `${await lives.url()}/v1/runs/${run.id}/events`;
    reader.connections += 1;
    try {
      await readConnection(options, reader, url);
    } catch {
      memory.retries += 1;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function readConnection(options: ReadRun, reader: Reader, url: string): Promise<void> {
  const { memory, run, leaveAfter } = options;
  const last = reader.events.at(-1)?.seq ?? 0;
  const headers = last === 0 ? {} : { 'last-event-id': String(last) };
  const response = await openResponse(url, { headers });
  if (response.statusCode !== 200) {
    // Acknowledged runs exist for ever: anything but an overloaded server is wrong.
    if (response.statusCode !== 429 && response.statusCode !== 503) {
      memory.violations.push(`${run.id}: its stream answered ${response.statusCode}`);
      reader.isDone = true;
    }
    response.destroy();
    throw new Error(`status ${response.statusCode}`);
  }
  for await (const block of blocksOf(response)) {
    if (!block.startsWith('id: ')) continue;
    take(options, reader, block);
    const mustLeave = reader.connections === 1 && reader.events.length === leaveAfter;
    if (reader.isDone || mustLeave) break;
  }
  response.destroy();
}

/** Only whole blocks: half a frame is not received. */
async function* blocksOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of response) {
    const blocks = `${rest}${chunk}`.split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
}

function take({ memory, run, onEvent }: ReadRun, reader: Reader, block: string): void {
  const [, id, event, data = ''] = /^id: (\d+)\nevent: (\S+)\ndata: (.*)$/.exec(block) ?? [];
  const seq = Number(id);
  const last = reader.events.at(-1)?.seq ?? 0;
  if (event === 'done') {
    reader.isDone = true;
    if (seq !== last) memory.violations.push(`${run.id}: done at ${id} after event ${last}`);
    return;
  }
  if (seq !== last + 1) {
    memory.violations.push(`${run.id}: a reader got event ${id} after ${last}`);
    reader.isDone = true;
    return;
  }
  reader.events.push({ seq, digest: digestOf(data) });
  onEvent(seq);
}

export function digestOf(data: string): string {
  return createHash('sha256').update(data).digest('base64url').slice(0, 22);
}
