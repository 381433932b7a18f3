import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import type { EventLog } from '../events/event-log.ts';
import type { RunId } from '../ids.ts';
import { runNotFound } from '../runs/run-not-found.ts';
import type { RunStore } from '../runs/run-store.ts';
import { type AuditVerdict, type VerifyAuditDeps, verifyAudit } from './verify-audit.ts';

/** Checking the records of a runtime that goes on meanwhile. */
export interface Audit {
  /**
   * All runs, or one. Stops when its time is over, and says so. Throws `not_found`, and `conflict` while another check
   * is going on: each reads everything there is.
   */
  verify(request: { readonly runId?: RunId }): Promise<AuditVerdict>;
}

export interface AuditDeps {
  readonly runs: Pick<RunStore, 'find' | 'list'>;
  readonly events: EventLog;
  readonly verifyFiles: VerifyAuditDeps['verifyFiles'];
  readonly clock: Pick<Clock, 'after'>;
  readonly maxVerifyMs?: number;
}

/** A caller waits for the answer. Who has more to check than this takes asks the command line. */
const MAX_VERIFY_MS = 20_000;

export function createAudit(deps: AuditDeps): Audit {
  const { runs, events, verifyFiles, clock, maxVerifyMs = MAX_VERIFY_MS } = deps;
  let isBusy = false;

  return {
    async verify({ runId }) {
      if (isBusy) throw new RuntimeError('conflict', 'the records are being verified already');
      isBusy = true;
      const time = new AbortController();
      const cancelTimer = clock.after(maxVerifyMs, () => time.abort());
      try {
        const only = runId === undefined ? undefined : await runs.find(runId);
        if (runId !== undefined && only === undefined) throw runNotFound(runId);
        const store = { runs, events };
        const scope = only === undefined ? {} : { only };
        return await verifyAudit({ store, verifyFiles }, { ...scope, signal: time.signal });
      } finally {
        cancelTimer();
        isBusy = false;
      }
    },
  };
}
