// Verifying signed audit files, against reading the same bytes and hashing them, which any check has to do at least.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../src/core/events/event.ts';
import { CHAIN_START, hashEvent } from '../src/core/events/hash-chain.ts';
import type { AgentId } from '../src/core/ids.ts';
import { encodeAuditLine } from '../src/core/records/audit-line.ts';
import { auditFileName, auditPath } from '../src/core/records/record-paths.ts';
import { createAuditKeyFile } from '../src/storage/files/audit-key-file.ts';
import { openRecordFiles } from '../src/storage/files/open-record-files.ts';
import { verifyGivenFiles } from '../src/storage/files/verify-given-files.ts';
import { compareInBlocks } from './support/blocks.ts';
import { readOptions } from './support/options.ts';
import { printReport, rateRow, ratioRow } from './support/report.ts';
import { openTempDir } from './support/temp-dir.ts';

const { isQuick } = readOptions();
const LINES = isQuick ? 20_000 : 200_000;
const EVENTS_PER_RUN = 20;
const LINES_PER_WRITE = 500;
const GOAL_PER_SECOND = 100_000;
const AGENT = 'agent_bench' as AgentId;
const BORN_MS = Date.UTC(2026, 1, 15);

const temp = openTempDir();
const key = createAuditKeyFile(temp.path);
const file = join(temp.path, auditPath(AGENT), auditFileName(BORN_MS));

function createLines(from: number) {
  return Array.from({ length: LINES_PER_WRITE / EVENTS_PER_RUN }, (_, index) => {
    let last = CHAIN_START;
    return Array.from({ length: EVENTS_PER_RUN }, () => {
      const event = {
        id: `evt_${String(from + index).padStart(12, '0')}_${last.seq}`,
        runId: `run_${String(from + index).padStart(12, '0')}`,
        agentId: AGENT,
        seq: last.seq + 1,
        type: last.seq === 0 ? 'run.created' : 'model.delta',
        atMs: BORN_MS + last.seq,
        actor: 'runner',
        payload: {
          text: 'what a model says in one part of its answer',
          turn: last.seq,
          usage: null,
        },
        redactions: [],
        prevHash: last.hash,
      } as unknown as Omit<Event, 'hash'>;
      const hash = hashEvent(event);
      last = { seq: event.seq, hash };
      return encodeAuditLine({ ...event, hash } as Event);
    });
  }).flat();
}

async function write(): Promise<void> {
  const sink = openRecordFiles({ root: temp.path, getKey: () => key.get() });
  for (let run = 0; run < LINES / EVENTS_PER_RUN; run += LINES_PER_WRITE / EVENTS_PER_RUN) {
    await sink.appendAudit(AGENT, createLines(run));
  }
  await sink.close();
}

/** Lines per second. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (LINES / (performance.now() - startMs)) * 1_000;
}

await write();
const { publicKey } = await key.get();
const reading = {
  name: 'reading and SHA-256',
  measure: () =>
    timed(async () => {
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
        hash.update(chunk as Buffer);
      }
      hash.digest();
    }),
};
const verifying = {
  name: 'claw audit verify FILE --key',
  measure: () =>
    timed(async () => {
      const report = await verifyGivenFiles({ files: [file], trusted: [publicKey], isPart: false });
      if (report.faults.length > 0 || report.signatures.signedLines !== LINES) {
        throw new Error(`found ${JSON.stringify(report.faults[0])}`);
      }
    }),
};
const [comparison] = await compareInBlocks(reading, [verifying], isQuick ? 1 : 5);
temp.remove();
if (comparison === undefined) throw new Error('nothing was compared');
printReport({
  bench: 'audit',
  rows: [
    rateRow('lines verified, signatures and hash chains', comparison.rate, GOAL_PER_SECOND),
    ratioRow('verifying / reading and SHA-256 of the same bytes', comparison),
  ],
  figures: { linesPerSecond: comparison.rate, ratio: comparison.ratio },
});
