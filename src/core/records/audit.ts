import type { Clock } from '../clock.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { EventLog } from '../events/event-log.ts';
import type { RunId } from '../ids.ts';
import { runNotFound } from '../runs/run-not-found.ts';
import type { AuditMark } from '../security/security-facts.ts';
import type { AuditReader } from './audit-reader.ts';
import type { RecordStore } from './record-store.ts';
import { toAuditMark } from './to-audit-mark.ts';
import { type AuditVerdict, verifyAudit } from './verify-audit.ts';

/** Checking the records of a runtime that goes on meanwhile. */
export interface Audit {
  /**
   * All runs, or one. Stops when its time is over, and says so. Throws `not_found`, and `conflict` while another check
   * is going on: each reads everything there is.
   */
  verify(request: { readonly runId?: RunId }): Promise<AuditVerdict>;
}

export interface AuditDeps {
  readonly records: RecordStore;
  readonly events: EventLog;
  readonly files: AuditReader;
  readonly clock: Pick<Clock, 'after' | 'nowMs'>;
  /** Hears of every check that looked at all there is. What was found counts, whether or not it could be noted. */
  readonly noteVerified?: (mark: AuditMark) => Promise<void>;
  readonly maxVerifyMs?: number;
}

/** A caller waits for the answer. Who has more to check than this takes asks the command line. */
const MAX_VERIFY_MS = 20_000;

export function createAudit(deps: AuditDeps): Audit {
  const { records, events, files, clock, maxVerifyMs = MAX_VERIFY_MS } = deps;
  let isBusy = false;

  return {
    async verify({ runId }) {
      if (isBusy) throw new RuntimeError('conflict', 'the records are being verified already');
      isBusy = true;
      const time = new AbortController();
      const cancelTimer = clock.after(maxVerifyMs, () => time.abort());
      try {
        if (runId !== undefined && !(await records.findHead(runId))) throw runNotFound(runId);
        const scope = defined({ only: runId });
        const store = { records, events };
        const verdict = await verifyAudit({ store, files }, { ...scope, signal: time.signal });
        const mark = runId === undefined ? toAuditMark(verdict, clock.nowMs()) : undefined;
        if (mark !== undefined) await deps.noteVerified?.(mark).catch(() => {});
        return verdict;
      } finally {
        cancelTimer();
        isBusy = false;
      }
    },
  };
}
