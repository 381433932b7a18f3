import type { Clock } from '../clock.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import type { RunId } from '../ids.ts';
import { runNotFound } from '../runs/run-not-found.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { AuditMark } from '../security/security-facts.ts';
import type { AuditReader } from './audit-reader.ts';
import {
  type EntryFilter,
  type EntryPage,
  type EntryRequest,
  listEntries,
  walkEntries,
} from './list-entries.ts';
import type { RecordStore } from './record-store.ts';
import { toAuditMark } from './to-audit-mark.ts';
import { type AuditVerdict, type VerifyAuditOptions, verifyAudit } from './verify-audit.ts';

/** The records of a runtime that goes on meanwhile: looked through, and checked. */
export interface Audit {
  /** Newest first. */
  list(request: EntryRequest): Promise<EntryPage>;
  /** All of it, page by page, newest first. */
  walk(filter: EntryFilter): AsyncGenerator<readonly Event[]>;
  /**
   * Checks all runs, or one. Stops when its time is over, and says so. Throws `not_found`, and `conflict` while another
   * check is going on: each reads everything there is.
   */
  verify(request: VerifyRequest): Promise<AuditVerdict>;
  /** Throws what `verify` would throw at once, and begins nothing. */
  assertFree(request: VerifyRequest): Promise<void>;
  /** The same for who stays and watches: it ends when all is checked, or with the signal. */
  watch(request: WatchedVerify): Promise<AuditVerdict>;
}

export interface VerifyRequest {
  readonly runId?: RunId | undefined;
}

export interface WatchedVerify extends VerifyRequest {
  readonly signal: AbortSignal;
  /** Told now and then. */
  readonly onProgress: (progress: VerifyProgress) => void;
}

export interface VerifyProgress {
  readonly runs: number;
  readonly events: number;
  /** That there were at the beginning. */
  readonly totalRuns: number;
}

export interface AuditDeps {
  readonly records: RecordStore;
  readonly events: EventLog;
  readonly runs: Pick<RunStore, 'countByStatus'>;
  readonly files: AuditReader;
  readonly clock: Pick<Clock, 'after' | 'nowMs'>;
  /** Hears of every check that looked at all there is. What was found counts, whether or not it could be noted. */
  readonly noteVerified?: (mark: AuditMark) => Promise<void>;
  readonly maxVerifyMs?: number;
}

/** A caller waits for the answer. Who has more to check than this takes watches, or asks the command line. */
const MAX_VERIFY_MS = 20_000;
/** No more often than anybody can read it. */
const PROGRESS_EVERY_MS = 200;
const WALKED_AT_ONCE = 200;

export function createAudit(deps: AuditDeps): Audit {
  const { records, events, files, clock, maxVerifyMs = MAX_VERIFY_MS } = deps;
  let isBusy = false;

  function assertIdle(): void {
    if (isBusy) throw new RuntimeError('conflict', 'the records are being verified already');
  }

  async function assertRun({ runId }: VerifyRequest): Promise<void> {
    if (runId !== undefined && !(await records.findHead(runId))) throw runNotFound(runId);
  }

  async function check(
    { runId }: VerifyRequest,
    options: Pick<VerifyAuditOptions, 'signal' | 'onProgress'>,
  ): Promise<AuditVerdict> {
    const store = { records, events };
    const verdict = await verifyAudit(
      { store, files },
      { ...defined({ only: runId }), ...options },
    );
    const mark = runId === undefined ? toAuditMark(verdict, clock.nowMs()) : undefined;
    if (mark !== undefined) await deps.noteVerified?.(mark).catch(() => {});
    return verdict;
  }

  async function alone(request: VerifyRequest, work: () => Promise<AuditVerdict>) {
    assertIdle();
    isBusy = true;
    try {
      await assertRun(request);
      return await work();
    } finally {
      isBusy = false;
    }
  }

  return {
    list: (request) => listEntries(records, request),
    walk: (filter) => walkEntries(records, { ...filter, limit: WALKED_AT_ONCE }),

    async assertFree(request) {
      assertIdle();
      await assertRun(request);
    },

    verify: (request) =>
      alone(request, async () => {
        const time = new AbortController();
        const cancelTimer = clock.after(maxVerifyMs, () => time.abort());
        try {
          return await check(request, { signal: time.signal });
        } finally {
          cancelTimer();
        }
      }),

    watch: ({ signal, onProgress, ...request }) =>
      alone(request, async () => {
        const totalRuns = request.runId === undefined ? await countRuns(deps.runs) : 1;
        let dueAtMs = 0;
        return check(request, {
          signal,
          onProgress(checked) {
            if (clock.nowMs() < dueAtMs) return;
            dueAtMs = clock.nowMs() + PROGRESS_EVERY_MS;
            onProgress({ ...checked, totalRuns });
          },
        });
      }),
  };
}

async function countRuns(runs: AuditDeps['runs']): Promise<number> {
  const counts = Object.values(await runs.countByStatus());
  return counts.reduce((sum, count) => sum + count, 0);
}
