import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { openRecordFiles } from '../../storage/files/open-record-files.ts';
import { openSqliteStorage } from '../../storage/sqlite/open-sqlite-storage.ts';
import { systemClock } from '../clock.ts';
import { createIds } from '../create-ids.ts';
import { createSeal } from '../events/seal.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import type { Storage } from '../storage.ts';
import { RecordBacklog } from './record-backlog.ts';
import type { RecordSink } from './record-sink.ts';

const ids = createIds(() => Date.now());
const seal = createSeal({ ids, redactor: createRedactor() });

let root: TempRoot;
let storage: Storage;
let sink: RecordSink;

beforeEach(async () => {
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
    { maxQueued: 100 },
  );
  await storage.runs.requestCancel(id, {
    requested: seal({ type: 'run.cancel_requested', payload: {} }),
    cancelled: seal({ type: 'run.cancelled', payload: {} }),
  });
  return id;
}

function hasBundle(runId: RunId): Promise<boolean> {
  return sink.hasBundle(DEFAULT_AGENT_ID, runId);
}

async function auditedSeq(runId: RunId): Promise<number | undefined> {
  const seqs = await sink.findAuditedSeqs(DEFAULT_AGENT_ID, [{ id: runId, sinceMs: 0 }]);
  return seqs.get(runId);
}

test('bundles wait while there is better to do, lines do not', async () => {
  let isBusy = true;
  const backlog = new RecordBacklog({ ...storage, sink, clock: systemClock, isBusy: () => isBusy });
  await backlog.catchUp(true);
  const runId = await addEndedRun();
  backlog.note(runId);

  const nextInMs = await backlog.catchUp(false);
  const busy = { lines: await auditedSeq(runId), bundled: await hasBundle(runId) };
  isBusy = false;
  await backlog.catchUp(false);

  expect(nextInMs).toBeGreaterThan(0);
  expect(busy).toEqual({ lines: 3, bundled: false });
  expect(await hasBundle(runId)).toBe(true);
});

test('bundles that wait are written at the end, and found again after a crash', async () => {
  const busy = { ...storage, sink, clock: systemClock, isBusy: () => true };
  const backlog = new RecordBacklog(busy);
  await backlog.catchUp(true);
  const ended = await addEndedRun();
  backlog.note(ended);
  await backlog.catchUp(false);
  await backlog.catchUp(true);
  const atTheEnd = await hasBundle(ended);
  const crashed = await addEndedRun();
  backlog.note(crashed);
  await backlog.catchUp(false);
  await new RecordBacklog(busy).catchUp(true);

  expect([atTheEnd, await hasBundle(crashed)]).toEqual([true, true]);
  expect(await storage.runs.listUnrecorded(10)).toEqual([]);
});

test('a search writes no bundles in a busy moment, and finds what they stand before', async () => {
  const backlog = new RecordBacklog({ ...storage, sink, clock: systemClock, isBusy: () => true });
  await backlog.catchUp(true);
  const waiting = await addEndedRun();
  backlog.note(waiting);
  await backlog.catchUp(false);
  const untold = await addEndedRun();

  backlog.noteUnknown();
  await backlog.catchUp(false);

  expect(await auditedSeq(untold)).toBe(3);
  expect([await hasBundle(waiting), await hasBundle(untold)]).toEqual([false, false]);
});

test('no more bundles wait than there is room for', async () => {
  const deps = { ...storage, sink, clock: systemClock, isBusy: () => true, maxWaitingBundles: 4 };
  const backlog = new RecordBacklog(deps);
  await backlog.catchUp(true);
  const runIds = await Promise.all(Array.from({ length: 20 }, addEndedRun));
  for (const runId of runIds) backlog.note(runId);

  await backlog.catchUp(false);

  const bundled = await Promise.all(runIds.map(hasBundle));
  expect(bundled.filter((has) => !has).length).toBeLessThanOrEqual(4);
});

test('a recorder that is busy for long keeps its lease', async () => {
  const clock = new ManualClock();
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
