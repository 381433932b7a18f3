import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { openRecordFiles } from '../../storage/files/open-record-files.ts';
import { connect } from '../../storage/sqlite/driver.ts';
import { openSqliteStorage } from '../../storage/sqlite/open-sqlite-storage.ts';
import { systemClock } from '../clock.ts';
import { createIds } from '../create-ids.ts';
import { createSeal } from '../events/seal.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { NO_TOTALS } from '../runs/run.ts';
import { readTrace } from '../runs/trace.ts';
import type { Storage } from '../storage.ts';
import { bundlePath } from './record-paths.ts';
import type { RecordSink } from './record-sink.ts';
import { createRecorder } from './recorder.ts';
import { verifyLog } from './verify-log.ts';

const ids = createIds(Date.now);
const seal = createSeal({ ids, redactor: createRedactor() });

let root: TempRoot;
let storage: Storage;
let sink: RecordSink;
let runId: RunId;

/** A recorded run of seven events, two of them results of tools, without its first four. */
beforeEach(async () => {
  root = await openTempRoot();
  await mkdir(join(root.path, '.openclawssy'));
  storage = await openSqliteStorage({
    file: join(root.path, 'pincer.db'),
    writer: 'inline',
    logger: silentLogger,
  });
  sink = openRecordFiles({ root: root.path });
  runId = await addRun();
  await record();
  expect(await storage.retention.prune([{ runId, through: 4 }])).toBe(4);
});

afterEach(async () => {
  await sink.close();
  await storage.close();
  await root.remove();
});

async function addRun(): Promise<RunId> {
  const id = ids.run();
  const created = await storage.runs.create(
    { id, agentId: DEFAULT_AGENT_ID, source: 'test', message: 'hello' },
    [seal({ type: 'run.created', payload: {} })],
    {
      maxQueued: 10,
      lease: {
        owner: 'test',
        leaseMs: 60_000,
        started: seal({ type: 'run.started', payload: {} }),
      },
    },
  );
  if (created.outcome !== 'created' || !created.lease) throw new Error(created.outcome);
  const lease = { runId: id, leaseId: created.lease.id };
  const calls = ['a', 'b'].flatMap((name) => [
    seal({ type: 'tool.call', payload: { request_id: name, tool: name, input: { name } } }),
    seal({ type: 'tool.result', payload: { request_id: name, tool: name, ok: true, output: {} } }),
  ]);
  const end = {
    status: 'completed',
    stopReason: 'completed',
    output: '',
    totals: NO_TOTALS,
  } as const;
  await storage.runs.append(lease, calls);
  await storage.runs.finish(lease, [seal({ type: 'run.completed', payload: {} })], end);
  return id;
}

async function record(): Promise<boolean> {
  const recorder = createRecorder({ ...storage, sink, clock: systemClock, logger: silentLogger });
  const isWritten = await recorder.drain();
  await recorder.stop();
  return isWritten;
}

test('a trace shows the tools that are kept and says that there may be more', async () => {
  const trace = await readTrace(storage.events, runId);

  expect(trace.toolResults.map(({ tool, arguments: given }) => ({ tool, given }))).toEqual([
    { tool: 'b', given: { name: 'b' } },
  ]);
  expect(trace.truncated).toBe(true);
});

test('a bundle that was removed is not written again from half a log', async () => {
  const bundle = join(root.path, bundlePath(DEFAULT_AGENT_ID, runId));
  await rm(bundle, { recursive: true });
  const next = await addRun();

  const isWritten = await record();

  await expect(stat(bundle)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(isWritten).toBe(true);
  expect((await stat(join(root.path, bundlePath(DEFAULT_AGENT_ID, next)))).isDirectory()).toBe(
    true,
  );
});

test.each([
  { what: 'the hash that was left behind', sql: `UPDATE runs SET floor_hash = 'x'`, seq: 5 },
  { what: 'the floor itself', sql: 'UPDATE runs SET floor_seq = 5', seq: 6 },
  { what: 'an event that is kept', sql: `UPDATE events SET actor = 'x' WHERE seq = 6`, seq: 6 },
  { what: 'the first one kept, by deleting it', sql: 'DELETE FROM events WHERE seq = 5', seq: 5 },
])('verifying finds that somebody altered $what', async ({ sql, seq }) => {
  const db = connect(join(root.path, 'pincer.db'), { readOnly: false });
  db.exec(sql);
  db.close();

  const report = await verifyLog(storage, {});

  expect(report.faults).toEqual([{ runId, seq, reason: expect.any(String) }]);
});

test('verifying counts what it has checked, and which run it checked from its floor', async () => {
  expect(await verifyLog(storage, {})).toEqual({
    runs: 1,
    prunedRuns: 1,
    events: 3,
    faults: [],
    isComplete: true,
  });
});
