import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../core/defined.ts';
import type { Event } from '../../core/events/event.ts';
import { decodeAuditLine } from '../../core/records/audit-line.ts';
import type { AuditedLine, AuditedLines, AuditReader } from '../../core/records/audit-reader.ts';
import { bundlePath } from '../../core/records/record-paths.ts';
import { findRunId } from './find-run-id.ts';
import { readLossBook } from './loss-book.ts';
import { readNewestLines } from './read-newest-lines.ts';
import { readAuditFiles, verifyAuditFiles } from './verify-audit-files.ts';

/** Of one run; its last line is known whatever their number. */
const MAX_LINES_PER_RUN = 100_000;

export interface AuditReaderConfig {
  readonly root: string;
  /** Runs followed in one reading. */
  readonly maxRuns?: number;
}

/** The audit files and bundles of a state root. Nothing stays open between calls. */
export function createAuditReader({ root, maxRuns }: AuditReaderConfig): AuditReader {
  const bound = defined({ maxRuns });
  return {
    check: (request) => verifyAuditFiles({ root, ...bound, ...request }),
    readNewest: async () => readNewestLines(root, await readLossBook(root)),
    readEvents: (runIds) => readEvents(root, runIds),
    findLines: (runIds, signal) => findLines(root, runIds, signal),
    findBundledHash: (agentId, runId, ...[seq]) => findBundledHash(root, { agentId, runId, seq }),
  };
}

interface Found extends AuditedLines {
  last: AuditedLines['last'];
  readonly lines: Map<number, AuditedLine>;
}

async function findLines(
  root: string,
  runIds: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, AuditedLines>> {
  const found = new Map<string, Found>();
  const losses = await readLossBook(root);
  for await (const { file, lines } of readAuditFiles(root)) {
    if (signal?.aborted) return found;
    for (const { text, number } of lines) {
      if (text === undefined || !runIds.has(findRunId(text) ?? '')) continue;
      const event = decodeAuditLine(text);
      if (event === undefined) continue;
      const { runId, seq, hash } = event;
      const known = found.get(runId) ?? { last: { seq, hash }, lines: new Map() };
      found.set(runId, known);
      const restart = losses.findRestart(runId, hash);
      if (restart ?? seq >= known.last.seq) known.last = restart ?? { seq, hash };
      if (known.lines.size < MAX_LINES_PER_RUN) known.lines.set(seq, { file, line: number, hash });
    }
  }
  return found;
}

async function readEvents(
  root: string,
  runIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly Event[]>> {
  const found = new Map<string, Event[]>();
  const losses = await readLossBook(root);
  for await (const { lines } of readAuditFiles(root)) {
    for (const { text } of lines) {
      if (text === undefined || !runIds.has(findRunId(text) ?? '')) continue;
      const event = decodeAuditLine(text);
      if (event === undefined) continue;
      const known = found.get(event.runId) ?? [];
      known.push(event);
      const restart = losses.findRestart(event.runId, event.hash);
      found.set(event.runId, restart ? known.filter(({ seq }) => seq <= restart.seq) : known);
    }
  }
  for (const events of found.values()) events.sort((a, b) => a.seq - b.seq);
  return found;
}

interface BundledEvent {
  readonly agentId: string;
  readonly runId: string;
  readonly seq: number;
}

async function findBundledHash(
  root: string,
  { agentId, runId, seq }: BundledEvent,
): Promise<string | undefined> {
  try {
    const path = join(root, bundlePath(agentId, runId), 'events.jsonl');
    for (const line of (await readFile(path, 'utf8')).split('\n')) {
      const event = decodeAuditLine(line);
      if (event?.seq === seq) return event.hash;
    }
  } catch {
    // Without a bundle there is no third copy to ask.
  }
  return undefined;
}
