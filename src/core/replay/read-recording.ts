import { RuntimeError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { isStaleCursor } from '../events/stale-cursor.ts';
import type { RunId } from '../ids.ts';
import { isTerminal, type Run } from '../runs/run.ts';
import { runNotFound } from '../runs/run-not-found.ts';
import type { RunStore } from '../runs/run-store.ts';

export interface RecordingDeps {
  readonly runs: Pick<RunStore, 'find'>;
  readonly events: Pick<EventLog, 'read'>;
}

export interface WholeRun {
  readonly run: Run;
  /** All of them, from the first on. */
  readonly log: readonly Event[];
}

const PAGE_SIZE = 500;
/** A log is held in memory while somebody plays it. */
const MAX_EVENTS = 100_000;

/** Throws as `readWholeRun` does, and `conflict` while the run goes on. */
export async function readEndedRun(deps: RecordingDeps, runId: RunId): Promise<WholeRun> {
  const run = await getRun(deps, runId);
  if (!isTerminal(run.status)) {
    throw new RuntimeError(
      'conflict',
      `run ${runId} is ${run.status}: wait for its end, or cancel it first`,
    );
  }
  return readWholeRun(deps, runId);
}

/** Throws `not_found`, and `stale_cursor` when its beginning is no longer kept. */
export async function readWholeRun(deps: RecordingDeps, runId: RunId): Promise<WholeRun> {
  const run = await getRun(deps, runId);
  const log: Event[] = [];
  for (;;) {
    const page = await readPage(deps, runId, log.at(-1)?.seq ?? 0);
    log.push(...page);
    if (page.length < PAGE_SIZE) return { run, log };
    if (log.length >= MAX_EVENTS) {
      const message = `run ${runId} has more than ${MAX_EVENTS} events, which is more than can be gone through`;
      throw new RuntimeError('payload_too_large', message);
    }
  }
}

async function getRun({ runs }: RecordingDeps, runId: RunId): Promise<Run> {
  const run = await runs.find(runId);
  if (!run) throw runNotFound(runId);
  return run;
}

async function readPage(deps: RecordingDeps, runId: RunId, after: number): Promise<Event[]> {
  try {
    return await deps.events.read(runId, { after, limit: PAGE_SIZE });
  } catch (thrown) {
    if (!isStaleCursor(thrown)) throw thrown;
    const { details } = thrown as RuntimeError;
    const message = `the beginning of run ${runId} is no longer kept (events up to ${details?.['floor']}): nobody can go through it again`;
    throw new RuntimeError('stale_cursor', message, { ...(details && { details }) });
  }
}
