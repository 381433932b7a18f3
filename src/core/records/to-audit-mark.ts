import type { AuditMark } from '../security/security-facts.ts';
import type { AuditVerdict } from './verify-audit.ts';

/** What a check of everything leaves behind; undefined for one that had no time to look at everything. */
export function toAuditMark(verdict: AuditVerdict, nowMs: number): AuditMark | undefined {
  const { log, files, faults } = verdict;
  // Faults that were found are known, however much was not looked at.
  const isWhole = (log.isComplete && files.isComplete) || faults.length > 0;
  return isWhole ? { atMs: nowMs, faults: faults.length } : undefined;
}
