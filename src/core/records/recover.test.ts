import { copyFile, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { createAuditReader } from '../../storage/files/create-audit-reader.ts';
import { appendLosses } from '../../storage/files/loss-book.ts';
import { openRecordFiles } from '../../storage/files/open-record-files.ts';
import { openSqliteStorage } from '../../storage/sqlite/open-sqlite-storage.ts';
import { systemClock } from '../clock.ts';
import { createIds } from '../create-ids.ts';
import type { Event } from '../events/event.ts';
import { hashEvent } from '../events/hash-chain.ts';
import { createSeal } from '../events/seal.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { NO_TOTALS } from '../runs/run.ts';
import type { LeaseRef } from '../runs/run-store.ts';
import type { Storage } from '../storage.ts';
import { decodeAuditLine, encodeAuditLine } from './audit-line.ts';
import { findRecentLosses } from './losses.ts';
import { RecordBacklog } from './record-backlog.ts';
import { auditPath } from './record-paths.ts';
import { acceptLosses, recoverFromAudit } from './recover.ts';

const ids = createIds(Date.now);
const seal = createSeal({ ids, redactor: createRedactor() });

let root: TempRoot;
let storage: Storage;

beforeEach(async () => {
  root = await openTempRoot();
  storage = await openStorage();
});

afterEach(async () => {
  await storage.close();
  await root.remove();
});

const databaseFile = () => join(root.path, 'pincer.db');

function openStorage(): Promise<Storage> {
  return openSqliteStorage({ file: databaseFile(), writer: 'inline', logger: silentLogger });
}

async function beginRun(): Promise<LeaseRef> {
  const id = ids.run();
  const started = seal({ type: 'run.started', payload: {} });
  const created = await storage.runs.create(
    { id, agentId: DEFAULT_AGENT_ID, source: 'test', message: 'hello' },
    [seal({ type: 'run.created', payload: { message: 'hello' } })],
    { maxQueued: 10, lease: { owner: 'test', leaseMs: 60_000, started } },
  );
  if (created.outcome !== 'created' || !created.lease) throw new Error('not created');
  return { runId: id, leaseId: created.lease.id };
}

async function say(lease: LeaseRef, ...texts: string[]): Promise<void> {
  const drafts = texts.map((text) => seal({ type: 'model.delta', payload: { text } }));
  await storage.runs.append(lease, drafts);
}

async function endRun(lease: LeaseRef, totals = NO_TOTALS): Promise<RunId> {
  const { turns, inputTokens: input_tokens, outputTokens: output_tokens } = totals;
  const usage = { turns, tool_calls: 0, input_tokens, output_tokens, cost_usd: null };
  const payload = { output: 'done', stop_reason: 'completed', usage };
  const terminal = seal({ type: 'run.completed', payload });
  const end = { stopReason: 'completed', output: 'done', totals } as const;
  await storage.runs.finish(lease, [terminal], { status: 'completed', ...end });
  return lease.runId;
}

async function record(...open: readonly LeaseRef[]): Promise<void> {
  const sink = openRecordFiles({ root: root.path });
  const backlog = new RecordBacklog({ ...storage, sink, clock: systemClock });
  for (const { runId } of open) backlog.note(runId);
  await backlog.catchUp(true);
  await sink.close();
}

/** Puts the database back to what it is now. */
async function keepCopy(): Promise<() => Promise<void>> {
  const copy = join(root.path, `copy-${ids.run()}.db`);
  await storage.close();
  await copyFile(databaseFile(), copy);
  storage = await openStorage();
  return async () => {
    await storage.close();
    await copyFile(copy, databaseFile());
    storage = await openStorage();
  };
}

const auditDirectory = () => join(root.path, auditPath(DEFAULT_AGENT_ID));

async function auditFile(): Promise<string> {
  return join(auditDirectory(), (await readdir(auditDirectory())).sort()[0] ?? '');
}

async function editLines(edit: (lines: string[]) => string[]): Promise<void> {
  const file = await auditFile();
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  await writeFile(file, `${edit(lines).join('\n')}\n`);
}

const editLine = (seq: number, edit: (line: string) => string) =>
  editLines((lines) =>
    lines.map((line) => (decodeAuditLine(line)?.seq === seq ? edit(line) : line)),
  );

function forge(runId: string, seq: number): string {
  const draft = { id: `evt_${seq}`, runId, agentId: DEFAULT_AGENT_ID, seq, type: 'model.delta' };
  const rest = { atMs: 1, actor: 'model', payload: {}, redactions: [], prevHash: 'x' };
  const event = { ...draft, ...rest } as unknown as Event;
  return encodeAuditLine({ ...event, hash: hashEvent(event) }).json;
}

function deps() {
  const { records, events } = storage;
  const files = createAuditReader({ root: root.path });
  const saveAccepted = (losses: Parameters<typeof appendLosses>[1]) =>
    appendLosses(root.path, losses, Date.now());
  return { records, events, files, seal, saveAccepted };
}

test('a flipped bit in an audit file is no loss of the database', async () => {
  const runId = await endRun(await beginRun());
  await record();
  await editLine(3, (line) => line.replace('"seq":3', '"seq":7'));
  await editLine(2, (line) => line.replace(runId, runId.replace(/.$/, '_')));

  expect(await findRecentLosses(deps())).toEqual([]);
});

const FOUND: Readonly<Record<string, () => Promise<void>>> = {
  'whole lines': async () => {},
  'a chain that is broken before the end': () =>
    editLine(5, (line) => line.replace('"actor":"', '"actor":"x')),
  'a chain that is broken before what the database has': () => editLine(2, () => '{}'),
  'lines in no order': () => editLines((lines) => lines.toReversed()),
  'lines that somebody added': () =>
    editLines((lines) => [
      ...lines,
      ...[9_000, 70].map((seq) => forge(decodeAuditLine(lines[0] ?? '')?.runId ?? '', seq)),
      forge('no run', 3),
    ]),
};

test.each(Object.keys(FOUND))('an accepted loss stops no start: %s', async (name) => {
  const lease = await beginRun();
  await say(lease, 'kept');
  const rollBack = await keepCopy();
  await say(lease, 'one', 'two', 'three');
  await endRun(lease);
  await record();
  await FOUND[name]?.();
  await rollBack();
  const before = await findRecentLosses(deps());

  const tried = await recoverFromAudit({
    ...deps(),
    records: { ...storage.records, restore: never },
  });
  const report = await acceptLosses(deps());

  expect(before).not.toEqual([]);
  const lostRuns = before.length;
  expect([tried.lostRuns, tried.failures.length]).toEqual([lostRuns, lostRuns]);
  expect(report).toMatchObject({ lostRuns, settledRuns: lostRuns, failures: [] });
  expect(await findRecentLosses(deps())).toEqual([]);
  expect(await storage.runs.find(lease.runId)).toMatchObject({ status: 'failed', lastSeq: 4 });
  // What the run's end adds is written, and is no loss either.
  await record();
  expect(await findRecentLosses(deps())).toEqual([]);
});

async function never(): Promise<void> {
  throw new Error('not now');
}

test('a database that is rolled back further after a loss was accepted can be accepted again', async () => {
  const lease = await beginRun();
  const rollBackFar = await keepCopy();
  await say(lease, 'kept', 'kept too');
  const rollBack = await keepCopy();
  await endRun(lease);
  await record();
  await rollBack();
  await acceptLosses(deps());

  await rollBackFar();
  const lost = await findRecentLosses(deps());
  await acceptLosses(deps());

  expect(lost).toMatchObject([{ runId: lease.runId, through: { seq: 4 } }]);
  expect(await findRecentLosses(deps())).toEqual([]);
});

test('a lost run is seen whose last line is longer than the end that is read first', async () => {
  const lease = await beginRun();
  const rollBack = await keepCopy();
  await say(lease, 'x'.repeat(300_000));
  await record(lease);
  await rollBack();

  expect(await findRecentLosses(deps())).toMatchObject([{ through: { seq: 3 } }]);
});

test('a lost run is seen beside a file of a day to come', async () => {
  await endRun(await beginRun());
  await record();
  const ahead = join(auditDirectory(), '2999-01-01.jsonl');
  await rename(await auditFile(), ahead);
  await utimes(ahead, 1, 1);
  const rollBack = await keepCopy();
  const lostId = await endRun(await beginRun());
  await record();
  await rollBack();

  expect(await findRecentLosses(deps())).toMatchObject([{ runId: lostId }]);
});

test('what nobody knows of a run that comes back is null, not none', async () => {
  const kept = await beginRun();
  const rollBack = await keepCopy();
  await say(kept, 'lost');
  const totals = { ...NO_TOTALS, turns: 2, inputTokens: null, outputTokens: 7, costUsd: null };
  const endedId = await endRun(await beginRun(), totals);
  await record(kept);
  await rollBack();

  await recoverFromAudit(deps());

  const unknown = { inputTokens: null, outputTokens: null, costUsd: null };
  expect((await storage.runs.find(endedId))?.totals).toEqual(totals);
  expect((await storage.runs.find(kept.runId))?.totals).toMatchObject(unknown);
});

test('a run that is given up keeps what the log has of it', async () => {
  const lease = await beginRun();
  const turn = seal({ type: 'model.completed', payload: { usage: { input_tokens: 5 } } });
  await storage.runs.append(lease, [turn]);
  const rollBack = await keepCopy();
  await say(lease, 'lost');
  await record(lease);
  await rollBack();

  await acceptLosses(deps());

  const { totals } = (await storage.runs.find(lease.runId)) ?? {};
  const unknown = { inputTokens: null, outputTokens: null, costUsd: null };
  expect(totals).toEqual({ turns: 1, toolCalls: 0, ...unknown });
});

test('many lost runs are put back in one reading of the files', async () => {
  const rollBack = await keepCopy();
  for (let count = 0; count < 40; count += 1) await endRun(await beginRun());
  await record();
  await rollBack();
  const { files, ...rest } = deps();
  let readings = 0;
  const counted = {
    ...files,
    readEvents: (runIds: ReadonlySet<string>) => {
      readings += 1;
      return files.readEvents(runIds);
    },
  };

  const report = await recoverFromAudit({ ...rest, files: counted });

  expect(report).toMatchObject({ lostRuns: 40, settledRuns: 40, failures: [] });
  expect(readings).toBe(1);
});
