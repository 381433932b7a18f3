import { type Clock, systemClock } from '../../core/clock.ts';
import type { RecordSink } from '../../core/records/record-sink.ts';
import type { SigningKey } from '../../core/secrets/signing-key.ts';
import { AuditFiles } from './audit-files.ts';
import { hasBundle, OWN_DISK, POOLED_DISK, writeBundle } from './bundle-files.ts';
import { findAuditedSeqs } from './find-audited-seqs.ts';

export interface RecordFilesConfig {
  /** The state root; records lie under its `.openclawssy`. */
  readonly root: string;
  readonly clock?: Pick<Clock, 'nowMs'>;
  /** The key that audit lines are signed with, asked for at the first one. Undefined: they are not. */
  readonly getKey?: () => Promise<SigningKey>;
  /** Whether the thread has nothing else to do, and may wait for the disk itself. */
  readonly hasOwnThread?: boolean;
}

/** Audit lines and bundles as files that belong to their owner alone. Nothing is created before it is needed. */
export function openRecordFiles({
  root,
  clock = systemClock,
  getKey,
  hasOwnThread = false,
}: RecordFilesConfig): RecordSink {
  const disk = hasOwnThread ? OWN_DISK : POOLED_DISK;
  const audit = new AuditFiles({ root, clock, getKey });
  let turn: Promise<unknown> = Promise.resolve();

  /** One after the other: lines stay in order, and a file is never closed while it is written. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  }

  return {
    appendAudit: (agentId, lines) => inTurn(() => audit.append(agentId, lines)),
    findAuditedSeqs: (agentId, runs) => inTurn(() => findAuditedSeqs(root, agentId, runs)),
    seal: () => inTurn(() => audit.seal()),
    sync: () => inTurn(() => audit.sync()),
    writeBundle: (bundle) => writeBundle(disk, root, bundle),
    hasBundle: (agentId, runId) => hasBundle(root, agentId, runId),
    close: () => inTurn(() => audit.close()),
  };
}
