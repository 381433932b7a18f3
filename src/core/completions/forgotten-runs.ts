import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Logger } from '../log.ts';
import type { Run } from '../runs/run.ts';
import type { Runs } from '../runs/runs.ts';
import { COMPLETION_SOURCE } from './completions.ts';

export interface ForgottenRunsDeps {
  readonly runs: Pick<Runs, 'list' | 'cancel'>;
  readonly events: Pick<EventLog, 'read'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ForgottenRuns {
  start(): void;
  /** Answers with how many it cancelled. */
  sweep(): Promise<number>;
  stop(): Promise<void>;
}

/** A program that carries a tool out answers in seconds, and one that asks a person within the day. */
const MAX_WAIT_MS = 24 * 60 * 60_000;
const SWEEP_MS = 60 * 60_000;
const PAGE_SIZE = 100;
/** More runs than anybody has open; a sweep ends all the same. */
const MAX_PAGES = 1_000;

/** Cancels runs that wait for tools of a caller who does not come back: chat programs are closed without a word. */
export function createForgottenRuns(deps: ForgottenRunsDeps): ForgottenRuns {
  const { runs, clock, logger } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = Promise.resolve();

  async function sweep(): Promise<number> {
    let cancelled = 0;
    let before: Run['id'] | undefined;
    for (let page = 0; page < MAX_PAGES && !signal.aborted; page += 1) {
      const place = before === undefined ? {} : { before };
      const found = await runs.list({ status: 'waiting', limit: PAGE_SIZE, ...place });
      for (const run of found.runs) {
        if (signal.aborted || !(await isForgotten(deps, run))) continue;
        await runs.cancel({ runId: run.id, reason: REASON, actor: 'system' });
        cancelled += 1;
      }
      if (found.next === undefined) break;
      before = found.next;
    }
    if (cancelled > 0) logger.info({ runs: cancelled }, 'cancelled runs that nobody came back to');
    return cancelled;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(SWEEP_MS, signal);
      if (signal.aborted) return;
      await sweep().catch((thrown: unknown) => {
        const { code } = toRuntimeError(thrown);
        logger.error({ code }, 'runs that nobody came back to could not be cancelled');
      });
    }
  }

  return {
    start() {
      running = run();
    },
    sweep,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

const REASON = 'its caller has not answered the tool calls within a day';

/** Runs also wait for approvals, which have a time of their own. */
async function isForgotten({ events, clock }: ForgottenRunsDeps, run: Run): Promise<boolean> {
  const isOld = run.updatedAtMs + MAX_WAIT_MS <= clock.nowMs();
  if (run.source !== COMPLETION_SOURCE || !isOld) return false;
  const [last] = await events.read(run.id, { after: run.lastSeq - 1, limit: 1 });
  return last?.type !== 'policy.decision';
}
