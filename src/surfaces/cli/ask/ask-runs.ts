import { streamEvents } from '../../../operations/runs/run-events.ts';
import type { RunEvent } from '../../../operations/runs/run-shapes.ts';
import {
  createRun,
  getRun,
  type RunReading,
  type RunWriting,
} from '../../../operations/runs/runs.ts';
import type { CliContext, LocalRuntime } from '../program/context.ts';
import { naming } from '../program/errors.ts';
import { createRunReader } from '../store-readers.ts';
import { askAt, type Way } from './ask-runtime.ts';
import { fromRuntime, fromStore, type Place } from './place.ts';

export const RUNS: Place<RunReading, RunWriting> = {
  read: fromStore((store, { clock }) => ({ runs: createRunReader(store, clock) })),
  write: fromRuntime(toRunWriting),
};

export const askRuns = askAt(RUNS);

export function toRunWriting({ runs, sessions }: LocalRuntime): RunWriting {
  return { runs, sessions, source: 'cli' };
}

/** Says which run was looked for when there is none. */
export function namingRun<T>(name: string, lookup: Promise<T>): Promise<T> {
  return naming({ thing: 'run', name, hint: 'claw runs list shows the runs there are' }, lookup);
}

/** Without a writer: a mistyped id must not create a state root. */
export async function assertRun(context: CliContext, id: string): Promise<void> {
  await namingRun(id, askRuns(context, getRun, { params: { run_id: id } }));
}

interface RunRequest {
  readonly agentId: string;
  readonly message: string;
  readonly sessionId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly model?: string | undefined;
}

export async function submitRun(
  { ask }: Pick<Way<RunWriting>, 'ask'>,
  { agentId, message, sessionId, projectId, model }: RunRequest,
): Promise<string> {
  const named = { agent_id: agentId, session_id: sessionId, project_id: projectId, model };
  const body = { ...named, message };
  const { id } = await ask(createRun, { headers: {}, body });
  return id;
}

/** How long one wait for news lasts before the run is looked at again. */
const IDLE_MS = 60_000;

export interface TailRun {
  readonly runId: string;
  /** 0: from the oldest that is kept. */
  readonly after: number;
  readonly signal: AbortSignal;
}

/** Pages of events, until the run has ended or nothing has come for a while. */
export function tailRun(
  { stream }: Pick<Way<RunReading>, 'stream'>,
  { runId, after, signal }: TailRun,
): AsyncGenerator<readonly RunEvent[]> {
  const headers = { 'last-event-id': after };
  const input = { params: { run_id: runId }, query: { tail_ms: IDLE_MS }, headers };
  return stream(streamEvents, input, signal);
}
