import type { Environment } from './config/environment.ts';
import { loadConfig } from './config/load-config.ts';
import { systemClock } from './core/clock.ts';
import { createIds } from './core/create-ids.ts';
import { RuntimeError } from './core/errors.ts';
import { createSeal } from './core/events/seal.ts';
import type { Logger } from './core/log.ts';
import { acceptLosses, type RecoveryReport, recoverFromAudit } from './core/records/recover.ts';
import { createRedactor } from './core/redact/create-redactor.ts';
import { leaveMark, openStorage } from './open-storage.ts';
import { createAuditReader } from './storage/files/create-audit-reader.ts';
import { appendLosses } from './storage/files/loss-book.ts';
import { tryFileLock } from './storage/sqlite/file-lock.ts';

export interface RecoverOptions {
  readonly root: string;
  readonly env: Environment;
  readonly logger: Logger;
  readonly way: 'from_audit' | 'accept_loss';
}

/** Settles what a database has lost, with the state root for itself: nobody may write records or runs meanwhile. */
export async function recover({ root, env, logger, way }: RecoverOptions): Promise<RecoveryReport> {
  const loaded = await loadConfig({ root, env });
  const storage = await openStorage(loaded, { role: 'server' }, logger);
  try {
    const lock = tryFileLock(loaded.paths.recordsLockFile);
    if (lock === undefined) {
      throw new RuntimeError('conflict', 'another process writes the records of this state root', {
        details: { fix: 'wait until it has ended, or stop it' },
      });
    }
    try {
      const deps = {
        records: storage.records,
        events: storage.events,
        files: createAuditReader({ root: loaded.paths.root }),
        seal: createSeal({ ids: createIds(systemClock.nowMs), redactor: createRedactor() }),
        saveAccepted: (losses: Parameters<typeof appendLosses>[1]) =>
          appendLosses(loaded.paths.root, losses, systemClock.nowMs()),
      };
      const report = await (way === 'from_audit' ? recoverFromAudit(deps) : acceptLosses(deps));
      await leaveMark(loaded, logger);
      return report;
    } finally {
      lock.close();
    }
  } finally {
    await storage.close();
  }
}
