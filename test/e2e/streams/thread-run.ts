import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptInput } from '../../../src/providers/scripted/script.ts';
import { signRequest } from '../../../src/sign-request.ts';

export const THREAD_ID = 'thread_streams';
const USER_ID = 7;
export const OWNER = `user:${USER_ID}`;
const SECRET = 'stream-torture-secret-0123456789abcdef';

/** Long enough to be cut and killed many times, in steps: a crash repeats the step that it hit. */
const STEPS = 24;
const DELTAS_PER_STEP = 20;
const DELTA_DELAY_MS = 15;

/** Puts a model that streams for a while into an empty state root. Answers the server's environment. */
export async function prepareStreamRoot(root: string): Promise<Record<string, string>> {
  const stateDir = join(root, '.openclawssy');
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const config = {
    engine: { delta_batch_ms: 5, max_recoveries: 10_000 },
    api: { rate_limit_max: 1_000_000 },
  };
  await writeFile(join(stateDir, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  await writeFile(join(root, 'script.json'), JSON.stringify({ steps: createSteps() }));
  return {
    API_BEARER_TOKEN: 'stream-torture-token-0123456789abcdef',
    RUNTIME_SIGNATURE_SECRET: SECRET,
    CLAW_ALLOW_SCRIPTED_MODEL: '1',
    CLAW_MODEL: 'scripted/script.json',
    LOG_LEVEL: 'warn',
  };
}

function createSteps(): ScriptInput['steps'] {
  return Array.from({ length: STEPS }, (_, step) => ({
    // Characters of two, three and four bytes: a cut may fall inside one.
    text: Array.from({ length: DELTAS_PER_STEP }, (__, delta) => `ü${step}.${delta} – 🦀 `),
    deltaDelayMs: DELTA_DELAY_MS,
    ...(step < STEPS - 1 ? { toolCalls: [{ tool: 'fs.write', input: writeOf(step) }] } : {}),
  }));
}

/** No two calls are alike: a run that repeats itself is ended. */
const writeOf = (step: number) => ({ path: `step-${step}.txt`, content: `${step}\n` });

/** A run whose model begins to stream, and which ends with its answer. */
export async function startThreadRun(url: string): Promise<string> {
  const created = { thread_id: THREAD_ID, auto_finish: true };
  const { runId } = await post(`${url}/internal/v1/runs`, created, {});
  const frame = {
    thread_id: THREAD_ID,
    frame_id: randomUUID(),
    type: 'user_message',
    payload: { text: 'Tell me everything.' },
  };
  await post(`${url}/internal/v1/runs/${runId}/frames`, frame, { runId });
  return runId;
}

async function post(
  url: string,
  document: object,
  about: { readonly runId?: string },
): Promise<{ readonly runId: string }> {
  const body = JSON.stringify(document);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...sign({ body, ...about }) },
    body,
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(answer)}`);
  return answer as { runId: string };
}

/** Headers for one request of the owner of the run. */
export function sign(request: { readonly body?: string; readonly runId?: string } = {}) {
  return signRequest({ secret: SECRET, userId: USER_ID, threadId: THREAD_ID, ...request });
}

const streamPath = (runId: string, cursor: number) =>
  `/internal/v1/runs/${runId}/stream?thread_id=${THREAD_ID}&cursor=${cursor}`;

/** For a bare socket. */
export function encodeStreamRequest(runId: string, cursor: number): string {
  const headers = Object.entries(sign({ runId })).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${streamPath(runId, cursor)} HTTP/1.1`, 'host: 127.0.0.1', ...headers, '', ''].join(
    '\r\n',
  );
}

/** The whole stream of an ended run. */
export async function readStream(url: string, runId: string): Promise<string> {
  const response = await fetch(`${url}${streamPath(runId, 0)}`, { headers: sign({ runId }) });
  return response.text();
}
