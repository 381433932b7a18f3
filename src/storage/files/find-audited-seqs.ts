import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentId, RunId } from '../../core/ids.ts';
import { decodeAuditLine } from '../../core/records/audit-line.ts';
import { auditFileName, auditPath } from '../../core/records/record-paths.ts';
import type { AuditedRun } from '../../core/records/record-sink.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { findRunId } from './find-run-id.ts';
import { readLossBook } from './loss-book.ts';
import { readLines } from './read-lines.ts';

const AUDIT_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;
/** Clocks are set back now and then; a day more to read costs little. */
const CLOCK_SLACK_MS = 86_400_000;

/** Reads each file once, for all runs together, and parses only the lines of those runs. */
export async function findAuditedSeqs(
  root: string,
  agentId: AgentId,
  runs: readonly AuditedRun[],
): Promise<Map<RunId, number>> {
  const found = new Map<RunId, number>();
  const losses = await readLossBook(root);
  const wanted = new Set<string>(runs.map((run) => run.id));
  const sinceMs = Math.min(...runs.map((run) => run.sinceMs)) - CLOCK_SLACK_MS;
  const directory = join(root, auditPath(agentId));
  for (const name of await listAuditFiles(directory)) {
    if (name < auditFileName(Math.max(0, sinceMs))) continue;
    for await (const lines of readLines(join(directory, name))) {
      for (const { text } of lines) {
        if (text === undefined || !wanted.has(findRunId(text) ?? '')) continue;
        // Torn lines do not count: their events are to be written again, whole.
        const event = decodeAuditLine(text);
        if (event === undefined) continue;
        const restart = losses.findRestart(event.runId, event.hash)?.seq;
        const seq = restart ?? Math.max(event.seq, found.get(event.runId) ?? 0);
        if (seq === 0) found.delete(event.runId);
        else found.set(event.runId, seq);
      }
    }
  }
  return found;
}

/** In order of days. An agent without any files has none. */
export async function listAuditFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => AUDIT_FILE.test(name)).sort();
}
