import type { CancelAnswer, ClientMemory, ClientRun } from './client-memory.ts';
import { type Answer, type RequestOptions, request } from './http-request.ts';
import type { Random } from './random.ts';
import { readRun } from './run-reader.ts';
import type { ServerLives } from './server-lives.ts';

export interface WorkloadDeps {
  readonly lives: ServerLives;
  readonly memory: ClientMemory;
  readonly random: Random;
  /** Begins every message, so that workloads on other roots can be told apart. */
  readonly name: string;
}

export interface Workload {
  /** No more new runs; resolves when all readers of all runs have seen the end. */
  stop(): Promise<void>;
}

const REPOST_CHANCE = 0.25;
const SECOND_READER_CHANCE = 0.4;
const LEAVE_CHANCE = 0.25;
const CANCEL_CHANCE = 0.25;
/** A run of the workload has about twenty events. */
const MAX_EVENTS_BEFORE_CANCEL = 16;
const MAX_ATTEMPTS = 5_000;
const RETRY_MS = 5;

/** Keeps this many runs open, each with its readers, until it is stopped. */
export function startWorkload(deps: WorkloadDeps, openRuns: number): Workload {
  let isStopping = false;
  let count = 0;

  async function lane(): Promise<void> {
    while (!isStopping) {
      count += 1;
      await driveRun(deps, `${deps.name}-${count}`);
    }
  }

  const lanes = Promise.all(Array.from({ length: openRuns }, lane));
  // Whoever stops the workload hears of it; until then a failure must not end the process.
  lanes.catch(() => {});
  return {
    async stop() {
      isStopping = true;
      await lanes;
    },
  };
}

async function driveRun(deps: WorkloadDeps, message: string): Promise<void> {
  const { random } = deps;
  const run = await submitRun(deps, message);
  const cancelAt = random.chance(CANCEL_CHANCE)
    ? random.between(1, MAX_EVENTS_BEFORE_CANCEL)
    : undefined;
  const work: Promise<void>[] = [];
  const read = (onEvent: (seq: number) => void) =>
    readRun({
      ...deps,
      run,
      onEvent,
      leaveAfter: random.chance(LEAVE_CHANCE) ? random.between(1, 10) : undefined,
    });
  work.push(
    read((seq) => {
      if (seq === cancelAt) work.push(cancelRun(deps, run));
    }),
  );
  if (random.chance(SECOND_READER_CHANCE)) work.push(read(() => {}));
  if (random.chance(REPOST_CHANCE)) work.push(repost(deps, run));
  // Cancels join the work while it is awaited.
  for (let index = 0; index < work.length; index += 1) await work[index];
}

/** Until a server answers: an unanswered request may have happened, and the key makes sure that it counts once. */
export async function submitRun(
  deps: Pick<WorkloadDeps, 'lives' | 'memory'>,
  message: string,
): Promise<ClientRun> {
  const { id } = (await postRun(deps, message)).body as { readonly id: string };
  const run: ClientRun = { id, message, readers: [], cancels: [] };
  deps.memory.runs.push(run);
  return run;
}

function postRun(deps: Pick<WorkloadDeps, 'lives' | 'memory'>, message: string): Promise<Answer> {
  return persist(deps, '/v1/runs', {
    method: 'POST',
    headers: { 'idempotency-key': `key-${message}` },
    body: { agent_id: 'agent_default', message },
  });
}

async function repost(deps: WorkloadDeps, run: ClientRun): Promise<void> {
  const { body, headers } = await postRun(deps, run.message);
  const { id } = body as { readonly id: string };
  if (id !== run.id || headers['idempotent-replay'] !== 'true') {
    deps.memory.violations.push(`${run.id}: posting it again made ${id}`);
  }
}

async function cancelRun(deps: WorkloadDeps, run: ClientRun): Promise<void> {
  const path = `/v1/runs/${run.id}/cancel`;
  const { status: httpStatus, body } = await persist(deps, path, { method: 'POST' });
  const receipt = body as { readonly status: string; readonly cancel_requested: boolean };
  const answer: CancelAnswer = {
    httpStatus,
    status: receipt.status,
    cancelRequested: receipt.cancel_requested,
  };
  run.cancels.push(answer);
}

async function persist(
  deps: Pick<WorkloadDeps, 'lives' | 'memory'>,
  path: string,
  options: RequestOptions,
): Promise<Answer> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const url = `${await deps.lives.url()}${path}`;
    const answer = await request(url, options).catch(() => undefined);
    if (answer !== undefined && answer.status < 300) return answer;
    if (answer !== undefined && answer.status !== 429 && answer.status !== 503) {
      throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    deps.memory.retries += 1;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw new Error(`${path} was not answered in ${MAX_ATTEMPTS} attempts`);
}
