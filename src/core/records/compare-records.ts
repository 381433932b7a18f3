import { defined } from '../defined.ts';
import type { RunId } from '../ids.ts';
import type { AuditedChain, AuditFileFault, AuditFilesReport } from './audit-reader.ts';
import type { LogHead } from './record-store.ts';
import { type LogReport, MAX_FAULTS } from './verify-log.ts';
import type { RunVerdict } from './verify-run.ts';

/** Something that was altered, in the database or in a file. */
export interface AuditFault {
  /** `both`: the two differ, each is whole by itself, and nothing tells which of them was altered. */
  readonly where: 'database' | 'audit_file' | 'both';
  readonly runId: string | undefined;
  readonly seq: number | undefined;
  readonly reason: string;
  readonly file?: string;
  readonly line?: number;
  /** The last line, when it is about several. */
  readonly through?: number;
}

/** A run of which log and files do not say the same, to be looked at again. */
export interface Doubt {
  readonly runId: RunId;
  readonly agentId: string;
  /** `short`: lines are missing that were written, says the row. `differs`: lines and events have other hashes. */
  readonly kind: 'short' | 'differs';
}

export interface Comparison {
  readonly faults: readonly AuditFault[];
  readonly doubts: readonly Doubt[];
  readonly pendingRuns: number;
  /** Runs by the other node that holds their records. */
  readonly elsewhere: ReadonlyMap<string, number>;
}

/** Holds what the audit files say of each run against what the log says of it. */
export function compareRecords(files: AuditFilesReport) {
  const faults: AuditFault[] = [];
  const doubts: Doubt[] = [];
  const seen = new Set<string>();
  const elsewhere = new Map<string, number>();
  let pendingRuns = 0;

  function report(fault: AuditFault): void {
    if (faults.length < MAX_FAULTS) faults.push(fault);
  }

  function doubt(head: LogHead, kind: Doubt['kind']): void {
    const { runId, agentId } = head;
    if (doubts.length < MAX_FAULTS) doubts.push({ runId, agentId, kind });
  }

  return {
    takeRun(head: LogHead, verdict: RunVerdict): void {
      if (!files.isComplete) return;
      const chain = files.chains.get(head.runId);
      if (chain) seen.add(head.runId);
      const writtenSeq = chain?.last.seq ?? 0;
      const endSeq = head.end?.seq ?? head.lastSeq;
      const { recorder } = head;
      // Whose lines are whole here needs nobody else to be checked.
      const isElsewhere = recorder !== undefined && recorder !== files.node && writtenSeq < endSeq;
      if (isElsewhere) elsewhere.set(recorder, (elsewhere.get(recorder) ?? 0) + 1);
      // A side with a fault of its own is reported already; what follows from it is no news.
      if (chain?.isFaulty || verdict.fault) return;
      if (writtenSeq > endSeq) {
        report(tellMissing(head.runId, { seq: endSeq + 1, reason: 'missing_events' }, chain));
      } else if (
        chain &&
        verdict.hashThere !== undefined &&
        verdict.hashThere !== chain.last.hash
      ) {
        doubt(head, 'differs');
      } else if (writtenSeq < endSeq && !isElsewhere) {
        if (head.isRecorded || writtenSeq < head.auditedSeq) doubt(head, 'short');
        else pendingRuns += 1;
      }
    },

    finish(log: LogReport): Comparison {
      if (files.isComplete && log.isComplete) {
        for (const [runId, chain] of files.chains) {
          // Nothing is left of a run that the operator gave up, or that has a fault from its first line on.
          if (seen.has(runId) || chain.last.seq === 0) continue;
          report(tellMissing(runId, { seq: chain.last.seq, reason: 'missing_run' }, chain));
        }
      }
      // A line cut short at the end of a file is being written, or its event has none: that the log tells.
      const found = files.faults.filter(({ isUnfinished }) => isUnfinished !== true);
      return { faults: [...found.map(toFault), ...faults], doubts, pendingRuns, elsewhere };
    },
  };
}

function tellMissing(
  runId: string,
  { seq, reason }: { readonly seq: number; readonly reason: string },
  chain: AuditedChain | undefined,
): AuditFault {
  return { where: 'database', runId, seq, reason, ...chain?.place };
}

export function toFault({ kind, runId, seq, file, line, through }: AuditFileFault): AuditFault {
  return {
    where: 'audit_file',
    runId,
    seq,
    reason: kind,
    file,
    line,
    ...defined({ through }),
  };
}
