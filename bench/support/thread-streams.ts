import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createIds } from '../../src/core/create-ids.ts';
import { createSeal } from '../../src/core/events/seal.ts';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import { createRedactor } from '../../src/core/redact/create-redactor.ts';
import { signRequest } from '../../src/sign-request.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import type { FanOut } from './fan-out.ts';
import { encodeRequest, openConnection } from './http-connection.ts';

export const SECRET = 'bench-signature-secret-0123456789abcdef';
const USER_ID = 7;
const THREAD_ID = 'thread_bench';
const APPEND_BATCH = 500;
/** Of a run that is created and cancelled: these carry no text. */
export const OWN_EVENTS = 3;

function sign(about: { readonly runId?: string; readonly body?: string }) {
  return signRequest({ secret: SECRET, userId: USER_ID, threadId: THREAD_ID, ...about });
}

/** A run whose model never answers: frames are accepted and stored, and every reader sees each at once. */
export async function openThreadFanOut(port: number): Promise<FanOut & { close(): void }> {
  const connection = await openConnection(port);

  async function post(path: string, document: object, runId?: string): Promise<{ runId: string }> {
    const body = JSON.stringify({ thread_id: THREAD_ID, ...document });
    const headers = sign({ body, ...(runId === undefined ? {} : { runId }) });
    const { status, body: answer } = await connection.send(
      encodeRequest({ method: 'POST', path, body, headers }),
    );
    if (status > 202) throw new Error(`${path} answered ${status}: ${answer}`);
    return JSON.parse(answer) as { runId: string };
  }

  const { runId } = await post('/internal/v1/runs', {});
  const append = async (text: string) => {
    const frame = { frame_id: randomUUID(), type: 'user_message', payload: { text } };
    await post(`/internal/v1/runs/${runId}/frames`, frame, runId);
  };
  await append('begin');
  return {
    port,
    append,
    streamRequest: () => encodeStreamRequest(runId, 'tail_ms=300000'),
    close: () => connection.close(),
  };
}

export function encodeStreamRequest(runId: string, query: string): Buffer {
  const path = `/internal/v1/runs/${runId}/stream?thread_id=${THREAD_ID}&${query}`;
  return encodeRequest({ method: 'GET', path, headers: sign({ runId }) });
}

/** An ended run with that many events, in the database of a state root on which no server runs. */
export async function seedThreadRun(root: string, count: number, text: string): Promise<string> {
  mkdirSync(join(root, '.openclawssy'), { recursive: true, mode: 0o700 });
  const file = join(root, '.openclawssy/pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  const ids = createIds(() => Date.now());
  const seal = createSeal({ ids, redactor: createRedactor({ secrets: () => [] }) });
  await storage.agents.ensure({
    ...{ id: DEFAULT_AGENT_ID, name: 'Default', role: '', instructions: '' },
    ...{ model: undefined, createdAtMs: Date.now() },
  });
  const id = ids.run();
  const thread = { id: THREAD_ID, staysOpen: true };
  const owner = `user:${USER_ID}`;
  const run = { id, agentId: DEFAULT_AGENT_ID, owner, source: 'bench', message: '', thread };
  await storage.runs.create(run, [seal({ type: 'run.created', payload: {} })], { maxQueued: 1 });
  for (let left = count - OWN_EVENTS; left > 0; left -= APPEND_BATCH) {
    const delta = () => seal({ type: 'model.delta', actor: 'model', payload: { text, turn: 1 } });
    await storage.runs.note(id, Array.from({ length: Math.min(left, APPEND_BATCH) }, delta));
  }
  await storage.runs.requestCancel(id, {
    requested: seal({ type: 'run.cancel_requested', payload: {} }),
    cancelled: seal({ type: 'run.cancelled', payload: {} }),
  });
  await storage.close();
  return id;
}
