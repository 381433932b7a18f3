import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_ID_PATTERN } from '../../core/ids.ts';
import { AGENTS_PATH, auditPath } from '../../core/records/record-paths.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { AuditCheck, type AuditCheckOptions, type AuditReport } from './audit-check.ts';
import { listAuditFiles } from './find-audited-seqs.ts';
import { readLossBook } from './loss-book.ts';
import { readNodeId } from './node-id.ts';
import { type Line, readLines } from './read-lines.ts';

export interface VerifyAuditFiles extends Omit<AuditCheckOptions, 'losses' | 'node'> {
  readonly root: string;
  /** Cuts the check off; the report says so. */
  readonly signal?: AbortSignal;
}

/** Checks every audit file under a state root on its own: no database, no server. */
export async function verifyAuditFiles(options: VerifyAuditFiles): Promise<AuditReport> {
  const check = new AuditCheck({
    ...options,
    losses: await readLossBook(options.root),
    node: await readNodeId(options.root),
  });
  for await (const { file, lines } of readAuditFiles(options.root)) {
    if (options.signal?.aborted) return check.finish(false);
    if (lines[0]?.number === 1) check.beginFile();
    for (const line of lines) check.takeLine(line, { file, line: line.number });
  }
  return check.finish();
}

export interface AuditPage {
  /** Relative to the state root. */
  readonly file: string;
  readonly lines: readonly Line[];
}

/** The lines of all agents, each agent's in the order of their days. An empty file has none. */
export async function* readAuditFiles(root: string): AsyncGenerator<AuditPage> {
  for (const agentId of await listAgents(root)) {
    const directory = auditPath(agentId);
    for (const name of await listAuditFiles(join(root, directory))) {
      const file = `${directory}/${name}`;
      for await (const lines of readLines(join(root, file))) yield { file, lines };
    }
  }
}

export async function listAgents(root: string): Promise<string[]> {
  const names = await readdir(join(root, AGENTS_PATH)).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => AGENT_ID_PATTERN.test(name)).sort();
}
