import type { VerifyLogOptions } from './verify-log.ts';
import { EMPTY_LOG, type LogReport, type LogStore, verifyLog } from './verify-log.ts';

/** What checking the audit files on disk found. */
export interface AuditFilesReport {
  readonly files: number;
  readonly lines: number;
  readonly runs: number;
  readonly faults: readonly AuditFileFault[];
  /** False when the signal came before the last line: faults that only the rest can tell are left out. */
  readonly isComplete: boolean;
}

export interface AuditFileFault {
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly runId: string | undefined;
  readonly seq: number | undefined;
}

/** Something that was altered, in the database or in a file. */
export interface AuditFault {
  readonly where: 'database' | 'audit_file';
  readonly runId: string | undefined;
  readonly seq: number | undefined;
  readonly reason: string;
  readonly file?: string;
  readonly line?: number;
}

export interface AuditVerdict {
  readonly log: LogReport;
  readonly files: AuditFilesReport;
  /** Those of the database first. */
  readonly faults: readonly AuditFault[];
}

export interface VerifyAuditDeps {
  /** Undefined when nothing was ever stored. */
  readonly store: LogStore | undefined;
  verifyFiles(signal: AbortSignal | undefined): Promise<AuditFilesReport>;
}

/** Recomputes every hash chain, in the database and in the audit files. */
export async function verifyAudit(
  deps: VerifyAuditDeps,
  options: VerifyLogOptions,
): Promise<AuditVerdict> {
  const { only, signal } = options;
  const log = deps.store === undefined ? EMPTY_LOG : await verifyLog(deps.store, options);
  const files = await deps.verifyFiles(signal);
  const fileFaults = files.faults.filter(({ runId }) => only === undefined || runId === only.id);
  return {
    log,
    files,
    faults: [
      ...log.faults.map((fault) => ({ where: 'database' as const, ...fault })),
      ...fileFaults.map(({ kind, ...fault }) => ({
        where: 'audit_file' as const,
        reason: kind,
        ...fault,
      })),
    ],
  };
}
