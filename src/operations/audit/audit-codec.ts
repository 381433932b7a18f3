import { toIso } from '../../core/clock.ts';
import type { SignatureReport } from '../../core/records/audit-reader.ts';
import type { AuditFault, AuditVerdict } from '../../core/records/verify-audit.ts';
import type { AuditVerdictShape } from './audit-shapes.ts';

/** In the document; the counts are whole. */
export const MAX_SHOWN_FAULTS = 100;

/** What a check of the records found, for the command line and for HTTP alike; only HTTP has no time for all of it. */
export function encodeAuditVerdict(verdict: AuditVerdict): Omit<AuditVerdictShape, 'complete'> {
  const { log, files, pendingRuns, faults, signatures } = verdict;
  return {
    verified: faults.length === 0 && isComplete(verdict),
    runs_count: log.runs,
    pruned_runs_count: log.prunedRuns,
    events_count: log.events,
    audit_files_count: files.files,
    audit_lines_count: files.lines,
    pending_runs_count: pendingRuns,
    accepted_losses_count: files.acceptedLosses,
    signatures: signatures === undefined ? null : encodeSignatures(signatures),
    node_id: verdict.node ?? null,
    held_elsewhere: [...verdict.elsewhere].map(([node_id, runs_count]) => ({
      node_id,
      runs_count,
    })),
    faults_count: faults.length,
    first_fault: faults[0] === undefined ? null : encodeFault(faults[0]),
    faults: faults.slice(0, MAX_SHOWN_FAULTS).map(encodeFault),
  };
}

export function isComplete({ log, files }: AuditVerdict): boolean {
  return log.isComplete && files.isComplete;
}

function encodeSignatures(report: SignatureReport) {
  const { heads, signedLines, unsignedLines, signedThroughMs, keyIds } = report;
  return {
    heads_count: heads,
    signed_lines_count: signedLines,
    unsigned_lines_count: unsignedLines,
    signed_through: signedThroughMs === undefined ? null : toIso(signedThroughMs),
    fingerprints: [...keyIds],
  };
}

function encodeFault({ where, runId, seq, reason, file, line }: AuditFault) {
  return {
    where,
    run_id: runId ?? null,
    seq: seq ?? null,
    reason,
    file: file ?? null,
    line: line ?? null,
  };
}
