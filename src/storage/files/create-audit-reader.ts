import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeAuditLine } from '../../core/records/audit-line.ts';
import type { AuditedLine, AuditedLines, AuditReader } from '../../core/records/audit-reader.ts';
import { bundlePath } from '../../core/records/record-paths.ts';
import { findRunId } from './find-run-id.ts';
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
  const bound = maxRuns === undefined ? {} : { maxRuns };
  return {
    check: (request) => verifyAuditFiles({ root, ...bound, ...request }),
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
  for await (const { file, lines } of readAuditFiles(root)) {
    if (signal?.aborted) return found;
    for (const { text, number } of lines) {
      if (text === undefined || !runIds.has(findRunId(text) ?? '')) continue;
      const event = decodeAuditLine(text);
      if (event === undefined) continue;
      const { runId, seq, hash } = event;
      const known = found.get(runId) ?? { last: { seq, hash }, lines: new Map() };
      found.set(runId, known);
      if (seq >= known.last.seq) known.last = { seq, hash };
      if (known.lines.size < MAX_LINES_PER_RUN) known.lines.set(seq, { file, line: number, hash });
    }
  }
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
