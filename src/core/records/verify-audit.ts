import type { RunId } from '../ids.ts';
import type { AuditFilesReport, AuditReader, SignatureReport } from './audit-reader.ts';
import { type AuditFault, compareRecords } from './compare-records.ts';
import { ALL_RUNS, isInPart, type RunPart } from './run-part.ts';
import { settleDoubts } from './settle-doubts.ts';
import {
  EMPTY_LOG,
  type LogReport,
  type LogStore,
  MAX_FAULTS,
  type VerifyLogOptions,
  verifyLog,
} from './verify-log.ts';

export type { AuditFault } from './compare-records.ts';

export interface AuditVerdict {
  readonly log: LogReport;
  readonly files: Pick<
    AuditFilesReport,
    'files' | 'lines' | 'runs' | 'acceptedLosses' | 'isComplete'
  >;
  /** Undefined when only one run was looked at, or not everything. */
  readonly signatures: SignatureReport | undefined;
  /** Runs whose newest events have no lines yet, because they are written behind the log. */
  readonly pendingRuns: number;
  /** This node, when several share the database. */
  readonly node: string | undefined;
  /** Runs whose records another node holds, by node: their lines can be checked only there. */
  readonly elsewhere: ReadonlyMap<string, number>;
  /** Those of the database first, then those of the files, then what only their comparison tells. */
  readonly faults: readonly AuditFault[];
}

export interface VerifyAuditDeps {
  /** Undefined when nothing was ever stored. */
  readonly store: LogStore | undefined;
  readonly files: AuditReader;
}

export type VerifyAuditOptions = Pick<VerifyLogOptions, 'only' | 'onProgress' | 'signal'>;

/**
 * Recomputes every hash chain, in the database and in the audit files, and compares the two. The last hash of a chain
 * stands for all that is before it, so one comparison for each run is enough; only a run that does not agree is
 * looked at line by line. Files are read before the log, which is always ahead of them: what they hold it must know.
 */
export async function verifyAudit(
  deps: VerifyAuditDeps,
  options: VerifyAuditOptions,
): Promise<AuditVerdict> {
  const total = createTotal();
  const parts: RunPart[] = [ALL_RUNS];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { only, signal } = options;
    const files = await deps.files.check({
      part,
      ...(only && { only }),
      ...(signal && { signal }),
    });
    parts.push(...files.rest);
    const compared = compareRecords(files);
    const log = await verifyPart(deps.store, files, { ...options, onRun: compared.takeRun });
    const { faults, doubts, ...counts } = compared.finish(log);
    const settled = log.isComplete ? await settleDoubts(deps, doubts, signal) : NOT_SETTLED;
    total.add({ files, log, ...counts, faults: [...faults, ...settled.faults], settled });
  }
  return total.verdict();
}

const NOT_SETTLED = { faults: [] as readonly AuditFault[], isComplete: true };

function verifyPart(
  store: LogStore | undefined,
  { part, chains, isComplete }: AuditFilesReport,
  options: VerifyAuditOptions & Pick<VerifyLogOptions, 'onRun'>,
): Promise<LogReport> | LogReport {
  if (store === undefined) return EMPTY_LOG;
  return verifyLog(store, {
    ...options,
    includes: (runId: RunId) => isInPart(part, runId),
    compareAt: (runId) => (isComplete ? chains.get(runId)?.last.seq : undefined),
  });
}

interface PartVerdict {
  readonly files: AuditFilesReport;
  readonly log: LogReport;
  readonly pendingRuns: number;
  readonly elsewhere: ReadonlyMap<string, number>;
  readonly faults: readonly AuditFault[];
  readonly settled: { readonly isComplete: boolean };
}

function createTotal() {
  const parts: PartVerdict[] = [];
  const sum = (of: (part: PartVerdict) => number) =>
    parts.reduce((total, part) => total + of(part), 0);
  const all = (of: (part: PartVerdict) => boolean) => parts.every(of);

  return {
    add(part: PartVerdict): void {
      // What the files held of each run is needed no longer.
      parts.push({ ...part, files: { ...part.files, chains: new Map() } });
    },
    verdict(): AuditVerdict {
      const logFaults = parts.flatMap(({ log }) => log.faults).slice(0, MAX_FAULTS);
      return {
        log: {
          runs: sum(({ log }) => log.runs),
          prunedRuns: sum(({ log }) => log.prunedRuns),
          events: sum(({ log }) => log.events),
          faults: logFaults,
          isComplete: all(({ log, settled }) => log.isComplete && settled.isComplete),
        },
        files: {
          files: parts[0]?.files.files ?? 0,
          lines: parts[0]?.files.lines ?? 0,
          runs: sum(({ files }) => files.runs),
          acceptedLosses: parts[0]?.files.acceptedLosses ?? 0,
          isComplete: all(({ files }) => files.isComplete),
        },
        signatures: parts[0]?.files.signatures,
        pendingRuns: sum((part) => part.pendingRuns),
        node: parts[0]?.files.node,
        elsewhere: addUp(parts.map((part) => part.elsewhere)),
        faults: [
          ...logFaults.map((fault) => ({ where: 'database' as const, ...fault })),
          ...parts.flatMap((part) => part.faults),
        ],
      };
    },
  };
}

function addUp(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const total = new Map<string, number>();
  for (const [node, runs] of counts.flatMap((count) => [...count])) {
    total.set(node, (total.get(node) ?? 0) + runs);
  }
  return total;
}
