import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { openRecordFiles } from '../../storage/files/open-record-files.ts';
import { openDatabase } from '../../storage/sqlite/open-database.ts';
import { openSqliteStorage } from '../../storage/sqlite/open-sqlite-storage.ts';
import { createIds } from '../create-ids.ts';
import { createSeal } from '../events/seal.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { Storage } from '../storage.ts';
import { RecordBacklog, type RecordBacklogDeps } from './record-backlog.ts';
import type { RecordSink } from './record-sink.ts';

const ids = createIds(() => Date.now());
const seal = createSeal({ ids, redactor: createRedactor() });

let root: TempRoot;
let storage: Storage;
let sink: RecordSink;
let clock: ManualClock;

beforeEach(async () => {
  clock = new ManualClock();
  root = await openTempRoot();
  await mkdir(join(root.path, '.openclawssy'));
  const file = join(root.path, '.openclawssy/pincer.db');
  storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  sink = openRecordFiles({ root: root.path });
});

afterEach(async () => {
  await sink.close();
  await storage.close();
  await root.remove();
});

/** Of three events. */
async function addEndedRun(): Promise<RunId> {
  const id = ids.run();
  await storage.runs.create(
    { id, agentId: DEFAULT_AGENT_ID, source: 'test', message: 'hello' },
    [seal({ type: 'run.created', payload: {} })],
    { maxQueued: 2_000 },
  );
  await storage.runs.requestCancel(id, {
    requested: seal({ type: 'run.cancel_requested', payload: {} }),
    cancelled: seal({ type: 'run.cancelled', payload: {} }),
  });
  return id;
}

/** What nobody should do to a database. */
function execute(sql: string): void {
  const db = openDatabase({ file: join(root.path, '.openclawssy/pincer.db'), readOnly: false });
  db.exec(sql);
  db.close();
}

function hasBundle(runId: RunId): Promise<boolean> {
  return sink.hasBundle(DEFAULT_AGENT_ID, runId);
}

async function auditedSeq(runId: RunId): Promise<number | undefined> {
  const seqs = await sink.findAuditedSeqs(DEFAULT_AGENT_ID, [{ id: runId, sinceMs: 0 }]);
  return seqs.get(runId);
}

/** Of a process that has no time for bundles, and has just written some. */
async function openBusyBacklog(changes: Partial<RecordBacklogDeps> = {}): Promise<RecordBacklog> {
  const backlog = new RecordBacklog({
    ...{ ...storage, sink, clock, isBusy: () => true },
    ...changes,
  });
  backlog.note(await addEndedRun());
  await backlog.catchUp(false);
  return backlog;
}

test('bundles wait while there is better to do, lines do not', async () => {
  let isBusy = true;
  const backlog = await openBusyBacklog({ isBusy: () => isBusy });
  const runId = await addEndedRun();
  backlog.note(runId);

  const { nextInMs } = await backlog.catchUp(false);
  const busy = { lines: await auditedSeq(runId), bundled: await hasBundle(runId) };
  isBusy = false;
  await backlog.catchUp(false);

  expect(nextInMs).toBeGreaterThan(0);
  expect(busy).toEqual({ lines: 3, bundled: false });
  expect(await hasBundle(runId)).toBe(true);
});

test('some bundles are written now and then, however busy it is', async () => {
  const backlog = await openBusyBacklog();
  const runIds = await Promise.all(Array.from({ length: 40 }, addEndedRun));
  for (const runId of runIds) backlog.note(runId);
  const counts: number[] = [];
  for (let second = 0; second < 4; second += 1) {
    await backlog.catchUp(false);
    const bundled = await Promise.all(runIds.map(hasBundle));
    counts.push(bundled.filter(Boolean).length);
    clock.advance(1_000);
  }

  expect(counts).toEqual([0, 16, 32, 40]);
});

test('bundles take a twentieth of the time of a process that is never quiet', async () => {
  const COST_MS = 10;
  let spentMs = 0;
  const writeBundle: RecordSink['writeBundle'] = async (bundle) => {
    await sink.writeBundle(bundle);
    clock.advance(COST_MS);
    spentMs += COST_MS;
  };
  const backlog = await openBusyBacklog({ sink: { ...sink, writeBundle } });
  const runIds = await Promise.all(Array.from({ length: 60 }, addEndedRun));
  for (const runId of runIds) backlog.note(runId);
  const beganMs = clock.nowMs();
  spentMs = 0;
  while (spentMs < 45 * COST_MS) {
    await backlog.catchUp(false);
    clock.advance(50);
  }

  const share = spentMs / (clock.nowMs() - beganMs);
  expect(share).toBeGreaterThan(0.03);
  expect(share).toBeLessThan(0.1);
});

test('bundles that wait are written at the end, and found again after a crash', async () => {
  const backlog = await openBusyBacklog();
  const ended = await addEndedRun();
  backlog.note(ended);
  await backlog.catchUp(false);
  await backlog.catchUp(true);
  const atTheEnd = await hasBundle(ended);
  const crashed = await addEndedRun();
  backlog.note(crashed);
  await backlog.catchUp(false);
  await new RecordBacklog({ ...storage, sink, clock }).catchUp(true);

  expect([atTheEnd, await hasBundle(crashed)]).toEqual([true, true]);
  expect(await storage.runs.listUnrecorded(10)).toEqual([]);
});

test('after a crash the files are not asked for lines that are marked', async () => {
  const backlog = await openBusyBacklog();
  backlog.note(await addEndedRun());
  await backlog.catchUp(false);
  clock.advance(1_000);
  await backlog.catchUp(false);
  let asked = 0;
  const findAuditedSeqs: RecordSink['findAuditedSeqs'] = (...args) => {
    asked += 1;
    return sink.findAuditedSeqs(...args);
  };

  await new RecordBacklog({ ...storage, sink: { ...sink, findAuditedSeqs }, clock }).catchUp(true);

  expect(asked).toBe(0);
  expect(await storage.runs.listUnrecorded(10)).toEqual([]);
});

test('a damaged bundle is written again, and no line twice', async () => {
  const runId = await addEndedRun();
  await new RecordBacklog({ ...storage, sink, clock }).catchUp(true);
  const [path] = await readdir(join(root.path, '.openclawssy'), { recursive: true }).then((names) =>
    names.filter((name) => name.endsWith('events.jsonl')),
  );
  await writeFile(join(root.path, '.openclawssy', path ?? ''), '');
  const damaged = await hasBundle(runId);

  await new RecordBacklog({ ...storage, sink, clock }).catchUp(true);

  expect([damaged, await hasBundle(runId), await auditedSeq(runId)]).toEqual([false, true, 3]);
  const audit = await readFile(await findAudit(), 'utf8');
  expect(audit.split('\n').filter((line) => line.includes('run.cancelled'))).toHaveLength(1);
});

async function findAudit(): Promise<string> {
  const dir = join(root.path, '.openclawssy/agents', DEFAULT_AGENT_ID, 'audit');
  return join(dir, (await readdir(dir))[0] ?? '');
}

test('a search writes no bundles in a busy moment, and finds what they stand before', async () => {
  const backlog = await openBusyBacklog();
  const waiting = await addEndedRun();
  backlog.note(waiting);
  await backlog.catchUp(false);
  const untold = await addEndedRun();

  backlog.noteUnknown();
  await backlog.catchUp(false);

  expect(await auditedSeq(untold)).toBe(3);
  expect([await hasBundle(waiting), await hasBundle(untold)]).toEqual([false, false]);
});

test('more bundles may wait than are remembered: the store knows the others', async () => {
  let isBusy = true;
  const backlog = await openBusyBacklog({ isBusy: () => isBusy, maxWaitingBundles: 4 });
  const runIds = await Promise.all(Array.from({ length: 20 }, addEndedRun));
  for (const runId of runIds) backlog.note(runId);
  await backlog.catchUp(false);

  isBusy = false;
  await backlog.catchUp(false);

  expect(await Promise.all(runIds.map(hasBundle))).toEqual(runIds.map(() => true));
});

test('a run that ended and whose last event is gone is recorded as far as it goes, once', async () => {
  const runId = await addEndedRun();
  execute('DELETE FROM events WHERE seq = 3');
  let marks = 0;
  const markRecorded: RunStore['markRecorded'] = (made) => {
    marks += 1;
    if (marks > 10) throw new Error('marked again and again');
    return storage.runs.markRecorded(made);
  };

  const runs = { ...storage.runs, markRecorded };
  await new RecordBacklog({ ...storage, runs, sink, clock }).catchUp(true);

  expect(await auditedSeq(runId)).toBe(2);
  expect(await storage.runs.listUnrecorded(10)).toEqual([]);
});

test('a run that can not be read keeps no other waiting, and is tried again later', async () => {
  const damaged = await addEndedRun();
  execute(`UPDATE events SET payload = '{' WHERE seq = 2`);
  const sound = await addEndedRun();
  const backlog = new RecordBacklog({ ...storage, sink, clock });

  const first = await backlog.catchUp(false);
  const news = await addEndedRun();
  backlog.note(news);
  const second = await backlog.catchUp(false);

  expect([first.fault, second.fault]).toEqual([expect.anything(), expect.anything()]);
  expect(first.nextInMs).toBeLessThanOrEqual(250);
  for (const runId of [sound, news]) {
    expect([await auditedSeq(runId), await hasBundle(runId)]).toEqual([3, true]);
  }
  expect(await hasBundle(damaged)).toBe(false);
});

test('a bundle that can not be written keeps neither lines nor other bundles waiting', async () => {
  const refused = await addEndedRun();
  let attempts = 0;
  const writeBundle: RecordSink['writeBundle'] = async (bundle) => {
    if (bundle.runId === refused) {
      attempts += 1;
      throw new Error('not writable');
    }
    await sink.writeBundle(bundle);
  };
  const backlog = new RecordBacklog({ ...storage, sink: { ...sink, writeBundle }, clock });
  await backlog.catchUp(false);
  const other = await addEndedRun();
  backlog.note(other);
  const { fault } = await backlog.catchUp(false);
  const early = attempts;
  clock.advance(1_000);
  await backlog.catchUp(false);

  expect(fault).toBeDefined();
  expect([await auditedSeq(other), await hasBundle(other)]).toEqual([3, true]);
  expect([early, attempts]).toEqual([1, 2]);
});

test('where nothing can be written, no more is remembered than there is room for', async () => {
  const appendAudit = () => Promise.reject(new Error('not writable'));
  const backlog = new RecordBacklog({ ...storage, sink: { ...sink, appendAudit }, clock });
  const runIds = await Promise.all(Array.from({ length: 1_100 }, addEndedRun));
  for (const runId of runIds) backlog.note(runId);

  await expect(backlog.catchUp(false)).rejects.toThrow();
  await expect(backlog.catchUp(true)).rejects.toThrow();

  await new RecordBacklog({ ...storage, sink, clock }).catchUp(true);
  expect(await auditedSeq(runIds.at(-1) as RunId)).toBe(3);
});

test('what was finished here and has lost its mark is marked again', async () => {
  const runId = await addEndedRun();
  const backlog = new RecordBacklog({ ...storage, sink, clock });
  await backlog.catchUp(true);
  execute('UPDATE runs SET recorded = 0, audited_seq = 0');

  backlog.noteUnknown();
  await backlog.catchUp(true);

  expect(await storage.runs.listUnrecorded(10)).toEqual([]);
  expect(await auditedSeq(runId)).toBe(3);
});

test('a recorder that is busy for long keeps its lease', async () => {
  const renewedAtMs: number[] = [];
  const records = {
    async listOwn() {
      clock.advance(31_000);
      return [];
    },
    renewNode: async () => void renewedAtMs.push(clock.nowMs()),
  };
  const backlog = new RecordBacklog({ ...storage, records, sink, clock });
  // Several passes of other nodes' runs, without a pause to search in.
  for (let count = 0; count < 256; count += 1) backlog.note(ids.run());

  await backlog.catchUp(false);

  const waitsMs = renewedAtMs.slice(1).map((atMs, index) => atMs - (renewedAtMs[index] ?? 0));
  expect(renewedAtMs.length).toBeGreaterThan(3);
  expect(Math.max(...waitsMs)).toBeLessThan(60_000);
});
