import { CHAIN_START } from '../events/hash-chain.ts';
import { isStaleCursor } from '../events/stale-cursor.ts';
import type { AuditedLine, AuditedLines, AuditReader } from './audit-reader.ts';
import type { AuditFault, Doubt } from './compare-records.ts';
import type { LogStore } from './verify-log.ts';
import { EVENTS_PER_PAGE, isGone } from './verify-run.ts';

/** Runs looked at again in one reading of the files. */
const RUNS_PER_LOOK = 32;

export interface DoubtDeps {
  readonly store: LogStore | undefined;
  readonly files: AuditReader;
}

export interface Settled {
  readonly faults: readonly AuditFault[];
  readonly isComplete: boolean;
}

/**
 * Reads the lines of runs in doubt once more. A run that was recorded between the first look at the files and the
 * look at its row has its lines by now; of the others this finds the first event that the two sides tell differently.
 */
export async function settleDoubts(
  { store, files }: DoubtDeps,
  doubts: readonly Doubt[],
  signal: AbortSignal | undefined,
): Promise<Settled> {
  const faults: AuditFault[] = [];
  for (let start = 0; store && start < doubts.length; start += RUNS_PER_LOOK) {
    if (signal?.aborted) return { faults, isComplete: false };
    const some = doubts.slice(start, start + RUNS_PER_LOOK);
    const found = await files.findLines(new Set(some.map(({ runId }) => runId)), signal);
    if (signal?.aborted) return { faults, isComplete: false };
    for (const doubt of some) {
      const audited = found.get(doubt.runId);
      const fault =
        doubt.kind === 'short'
          ? await findMissingLine(store, doubt, audited)
          : await findDifference({ store, files }, doubt, audited);
      if (fault) faults.push(fault);
    }
  }
  return { faults, isComplete: true };
}

async function findMissingLine(
  { records }: LogStore,
  { runId }: Doubt,
  audited: AuditedLines | undefined,
): Promise<AuditFault | undefined> {
  const head = await records.findHead(runId);
  const writtenSeq = audited?.last.seq ?? 0;
  if (head === undefined || writtenSeq >= (head.end?.seq ?? head.lastSeq)) return undefined;
  const { file, line } = audited?.lines.get(writtenSeq) ?? {};
  const place = file === undefined || line === undefined ? {} : { file, line };
  return { where: 'audit_file', runId, seq: writtenSeq + 1, reason: 'missing_line', ...place };
}

async function findDifference(
  deps: { readonly store: LogStore; readonly files: AuditReader },
  { runId, agentId }: Doubt,
  audited: AuditedLines | undefined,
): Promise<AuditFault> {
  const lines = audited?.lines ?? new Map<number, AuditedLine>();
  const found = await findFirstOther(deps.store, runId, lines);
  const seq = found?.seq ?? audited?.last.seq;
  const place = found ? { file: found.line.file, line: found.line.line } : {};
  const bundled = found && (await deps.files.findBundledHash(agentId, runId, found.seq));
  const where = bundled === undefined ? 'both' : tellSide(bundled, found);
  return { where, runId, seq, reason: 'differs', ...place };
}

/** The bundle is a third copy: whom it agrees with was left alone. */
function tellSide(bundled: string, found: Other | undefined): AuditFault['where'] {
  if (bundled === found?.line.hash) return 'database';
  return bundled === found?.logHash ? 'audit_file' : 'both';
}

interface Other {
  readonly seq: number;
  readonly line: AuditedLine;
  readonly logHash: string;
}

async function findFirstOther(
  { events }: LogStore,
  runId: Doubt['runId'],
  lines: ReadonlyMap<number, AuditedLine>,
): Promise<Other | undefined> {
  let after = CHAIN_START.seq;
  for (;;) {
    const page = await events.read(runId, { after, limit: EVENTS_PER_PAGE }).catch((thrown) => {
      if (isGone(thrown)) throw thrown;
      return isStaleCursor(thrown) ? ('stale' as const) : [];
    });
    if (page === 'stale') {
      after = await events.floor(runId);
      continue;
    }
    for (const { seq, hash } of page) {
      const line = lines.get(seq);
      if (line && line.hash !== hash) return { seq, line, logHash: hash };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < EVENTS_PER_PAGE) return undefined;
    after = last.seq;
  }
}
