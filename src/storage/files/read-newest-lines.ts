import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { hashEvent } from '../../core/events/hash-chain.ts';
import { decodeAuditLine } from '../../core/records/audit-line.ts';
import type { AuditedChain } from '../../core/records/audit-reader.ts';
import { auditPath } from '../../core/records/record-paths.ts';
import { listAuditFiles } from './find-audited-seqs.ts';
import type { LossBook } from './loss-book.ts';
import { listAgents } from './verify-audit-files.ts';

/** Of each agent's newest file: some hundred events, and more than a crash leaves half done. */
const TAIL_BYTES = 128 * 1024;
/** Those whose newest files are of the latest days. */
const MAX_AGENTS = 64;

type Newest = Pick<AuditedChain, 'last' | 'agentId' | 'place'>;

/** The last lines of the newest audit file of each agent: how far each run goes that is among them. */
export async function readNewestLines(
  root: string,
  losses: LossBook,
): Promise<Map<string, Newest>> {
  const newest = new Map<string, Newest>();
  for (const file of await listNewestFiles(root)) {
    for (const text of await readTail(join(root, file))) {
      const event = decodeAuditLine(text);
      // A torn or altered line says nothing of the log: checking the audit files reports it.
      if (event === undefined || hashEvent(event) !== event.hash) continue;
      const { runId, agentId, seq, hash } = event;
      const known = newest.get(runId);
      if (known && known.last.seq > seq) continue;
      const last = losses.findRestart(runId, hash) ?? { seq, hash };
      newest.set(runId, { agentId, last, place: undefined });
    }
  }
  return newest;
}

async function listNewestFiles(root: string): Promise<string[]> {
  const files: { name: string; path: string }[] = [];
  for (const agentId of await listAgents(root)) {
    const name = (await listAuditFiles(join(root, auditPath(agentId)))).at(-1);
    if (name !== undefined) files.push({ name, path: `${auditPath(agentId)}/${name}` });
  }
  return files
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .slice(0, MAX_AGENTS)
    .map(({ path }) => path);
}

async function readTail(path: string): Promise<string[]> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, TAIL_BYTES);
    const tail = Buffer.alloc(length);
    const { bytesRead } = await handle.read(tail, 0, length, size - length);
    const lines = tail.subarray(0, bytesRead).toString('utf8').split('\n');
    // Where the reading began is hardly where a line did.
    return size > length ? lines.slice(1) : lines;
  } finally {
    await handle.close();
  }
}
