import { toStatePaths } from '../config/state-root/state-paths.ts';
import { RuntimeError } from '../core/errors.ts';
import { silentLogger } from '../core/log.ts';
import { type AuditVerdict, verifyAudit } from '../core/records/verify-audit.ts';
import { createAuditReader } from '../storage/files/create-audit-reader.ts';
import { assertIntact } from '../storage/sqlite/copy-database.ts';
import { openSqliteStorage } from '../storage/sqlite/open-sqlite-storage.ts';

/**
 * Reads every page of a copied database and recomputes the chains of its records. The copy is brought to the version
 * of this program, as its first start would. Throws for a database that is damaged.
 */
export async function verifyCopy(root: string, signal: AbortSignal): Promise<AuditVerdict> {
  const { databaseFile: file } = toStatePaths(root);
  assertIntact(file);
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  try {
    const files = createAuditReader({ root });
    const verdict = await verifyAudit({ store: storage, files }, { signal });
    if (signal.aborted) throw new RuntimeError('cancelled', 'interrupted');
    return verdict;
  } finally {
    await storage.close();
  }
}
