import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Event } from '../../core/events/event.ts';
import { hashEvent } from '../../core/events/hash-chain.ts';
import { decodeAuditLine } from '../../core/records/audit-line.ts';
import type { AuditedChain } from '../../core/records/audit-reader.ts';
import { auditPath } from '../../core/records/record-paths.ts';
import { listAuditFiles } from './find-audited-seqs.ts';
import type { LossBook } from './loss-book.ts';
import { listAgents } from './verify-audit-files.ts';

/** Of each agent's newest file: some hundred events, and more than a crash leaves half done. */
const TAIL_BYTES = 128 * 1024;
/** As far back as is looked for one whole line. */
const MAX_TAIL_BYTES = 4 * 1024 * 1024;
/** Those of the latest days, and as many of those that were written last. */
const MAX_FILES = 64;
/** Of one agent, by name. More days than a clock is ahead before somebody sets it right. */
const MAX_FILES_PER_AGENT = 64;

type Newest = Pick<AuditedChain, 'last' | 'agentId' | 'place'>;

/** The last lines of the newest audit files of each agent: how far each run goes that is among them. */
export async function readNewestLines(
  root: string,
  losses: LossBook,
): Promise<Map<string, Newest>> {
  const newest = new Map<string, Newest>();
  for (const file of await listNewestFiles(root)) {
    for (const { runId, agentId, seq, hash } of await readTail(join(root, file))) {
      const known = newest.get(runId);
      if (known && known.last.seq > seq) continue;
      const last = losses.findRestart(runId, hash) ?? { seq, hash };
      newest.set(runId, { agentId, last, place: undefined });
    }
  }
  return newest;
}

interface AuditFile {
  readonly name: string;
  readonly path: string;
  readonly writtenAtMs: number;
}

/**
 * In the order they were written. Names follow a clock that may once have been ahead, and the times of files are lost
 * when they are copied: each agent's newest by either counts.
 */
async function listNewestFiles(root: string): Promise<string[]> {
  const files = new Set<AuditFile>();
  for (const agentId of await listAgents(root)) {
    const own = await listFilesOf(root, agentId);
    for (const file of [own.at(-1), own.toSorted(byWriting).at(-1)]) if (file) files.add(file);
  }
  const byName = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  const latest = [...byName.slice(-MAX_FILES), ...byName.toSorted(byWriting).slice(-MAX_FILES)];
  return [...new Set(latest)].sort(byWriting).map(({ path }) => path);
}

async function listFilesOf(root: string, agentId: string): Promise<AuditFile[]> {
  const directory = auditPath(agentId);
  const names = (await listAuditFiles(join(root, directory))).slice(-MAX_FILES_PER_AGENT);
  return Promise.all(
    names.map(async (name) => {
      const path = `${directory}/${name}`;
      return { name, path, writtenAtMs: (await stat(join(root, path))).mtimeMs };
    }),
  );
}

function byWriting(a: AuditFile, b: AuditFile): number {
  return a.writtenAtMs - b.writtenAtMs;
}

/** What the end of a file holds. A line longer than what is read first is no reason to see nothing. */
async function readTail(path: string): Promise<Event[]> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    for (let bytes = TAIL_BYTES; ; bytes *= 2) {
      const length = Math.min(size, bytes);
      const tail = Buffer.alloc(length);
      const { bytesRead } = await handle.read(tail, 0, length, size - length);
      const lines = tail.subarray(0, bytesRead).toString('utf8').split('\n');
      // Where the reading began is hardly where a line did.
      const events = (size > length ? lines.slice(1) : lines).flatMap(decodeWhole);
      if (events.length > 0 || length === size || bytes >= MAX_TAIL_BYTES) return events;
    }
  } finally {
    await handle.close();
  }
}

/** A torn or altered line says nothing of the log: checking the audit files reports it. */
function decodeWhole(line: string): Event[] {
  const event = decodeAuditLine(line);
  return event !== undefined && hashEvent(event) === event.hash ? [event] : [];
}
