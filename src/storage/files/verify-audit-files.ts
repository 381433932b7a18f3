import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_ID_PATTERN } from '../../core/ids.ts';
import { AGENTS_PATH, auditPath } from '../../core/records/record-paths.ts';
import { AuditCheck, type AuditReport } from './audit-check.ts';
import { listAuditFiles } from './find-audited-seqs.ts';
import { readLines } from './read-lines.ts';

export interface VerifyAuditFiles {
  readonly root: string;
  /** Cuts the check off; the report says so. */
  readonly signal?: AbortSignal;
}

/** Checks every audit file under a state root on its own: no database, no server. */
export async function verifyAuditFiles(options: VerifyAuditFiles): Promise<AuditReport> {
  const check = new AuditCheck();
  for (const agentId of await listAgents(options.root)) {
    const directory = auditPath(agentId);
    for (const name of await listAuditFiles(join(options.root, directory))) {
      check.beginFile();
      const file = `${directory}/${name}`;
      for await (const lines of readLines(join(options.root, file))) {
        if (options.signal?.aborted) return check.finish(false);
        for (const line of lines) check.takeLine(line, { file, line: line.number });
      }
    }
  }
  return check.finish();
}

async function listAgents(root: string): Promise<string[]> {
  const names = await readdir(join(root, AGENTS_PATH)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => AGENT_ID_PATTERN.test(name)).sort();
}
