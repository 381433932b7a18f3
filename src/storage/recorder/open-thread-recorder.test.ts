import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { systemClock } from '../../core/clock.ts';
import type { EndedRun } from '../../core/costs/close-runs.ts';
import { createIds } from '../../core/create-ids.ts';
import { createSeal } from '../../core/events/seal.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../../core/ids.ts';
import { silentLogger } from '../../core/log.ts';
import { verifyAudit } from '../../core/records/verify-audit.ts';
import { createRedactor } from '../../core/redact/create-redactor.ts';
import type { Storage } from '../../core/storage.ts';
import { hasBundle } from '../files/bundle-files.ts';
import { createAuditReader } from '../files/create-audit-reader.ts';
import { openSqliteStorage } from '../sqlite/open-sqlite-storage.ts';
import { openThreadRecorder, type ThreadRecorderDeps } from './open-thread-recorder.ts';

const ids = createIds(() => Date.now());
const seal = createSeal({ ids, redactor: createRedactor() });
const PATIENCE = { timeout: 20_000, interval: 20 };

let root: TempRoot;
let databaseFile: string;
let storage: Storage;
let closed: EndedRun[];

beforeEach(async () => {
  closed = [];
  root = await openTempRoot();
  await mkdir(join(root.path, '.openclawssy'));
  databaseFile = join(root.path, '.openclawssy/pincer.db');
  storage = await openSqliteStorage({ file: databaseFile, writer: 'thread', logger: silentLogger });
});

afterEach(async () => {
  await storage.close();
  await root.remove();
});

function openRecorder(changes: Partial<ThreadRecorderDeps> = {}) {
  return openThreadRecorder({
    ...storage,
    closeRuns: async (ended) => void closed.push(...ended),
    clock: systemClock,
    isBusy: () => false,
    logger: silentLogger,
    root: root.path,
    databaseFile,
    syncIntervalMs: 50,
    ...changes,
  });
}

async function addRun(): Promise<RunId> {
  const id = ids.run();
  await storage.runs.create(
    { id, agentId: DEFAULT_AGENT_ID, source: 'test', message: 'hello' },
    [seal({ type: 'run.created', payload: {} })],
    { maxQueued: 100 },
  );
  return id;
}

/** Of three events. */
async function addEndedRun(): Promise<RunId> {
  const id = await addRun();
  await storage.runs.requestCancel(id, {
    requested: seal({ type: 'run.cancel_requested', payload: {} }),
    cancelled: seal({ type: 'run.cancelled', payload: {} }),
  });
  return id;
}

const isBundled = (id: RunId) => hasBundle(root.path, DEFAULT_AGENT_ID, id);

async function listUnrecorded(): Promise<RunId[]> {
  return (await storage.runs.listUnrecorded(10)).map(({ run }) => run.id);
}

test('records runs as they end, and marks them in the store', async () => {
  const recorder = openRecorder();
  recorder.start();
  const id = await addEndedRun();

  await vi.waitFor(async () => expect(await listUnrecorded()).toEqual([]), PATIENCE);

  expect(await isBundled(id)).toBe(true);
  expect(closed.map(({ runId }) => runId)).toEqual([id]);
  await recorder.stop();
});

test('stops when all that is logged is recorded and signed', async () => {
  const recorder = openRecorder();
  const id = await addEndedRun();
  recorder.start();
  const last = await addEndedRun();

  await recorder.stop();
  await recorder.stop();

  expect([await isBundled(id), await isBundled(last)]).toEqual([true, true]);
  expect(await listUnrecorded()).toEqual([]);
  const files = createAuditReader({ root: root.path });
  expect(await verifyAudit({ store: storage, files }, {})).toMatchObject({
    faults: [],
    pendingRuns: 0,
  });
});

test('where there is no run no thread is started, be it to begin or to end', async () => {
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (_: object, message: string) => errors.push(message) };
  // A thread would fail here.
  const databaseFile = join(root.path, 'missing/pincer.db');
  const looks: (() => void)[] = [];
  const after = (_: number, look: () => void) => {
    looks.push(look);
    return () => {};
  };

  const recorder = openRecorder({ databaseFile, logger, clock: { after } });
  recorder.start();
  looks[0]?.();
  // It would look again.
  await vi.waitFor(() => expect(looks).toHaveLength(2));
  await recorder.stop();

  expect(errors).toEqual([]);
});

test('a run that no wake-up told of is found by the next look', async () => {
  const looks: (() => void)[] = [];
  const after = (_: number, look: () => void) => {
    looks.push(look);
    return () => {};
  };
  const wakeups = { watchRuns: () => () => {} };
  const recorder = openRecorder({ clock: { after }, wakeups });
  recorder.start();
  looks[0]?.();
  await vi.waitFor(() => expect(looks).toHaveLength(2));
  await addEndedRun();

  looks[1]?.();

  await vi.waitFor(async () => expect(await listUnrecorded()).toEqual([]), PATIENCE);
  await recorder.stop();
});

test('what a thread could not do, another does when it can', async () => {
  const id = await addEndedRun();
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (_: object, message: string) => errors.push(message) };
  const recorder = openRecorder({ databaseFile: join(root.path, 'missing/pincer.db'), logger });
  recorder.start();
  await addEndedRun();
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(1), PATIENCE);
  await recorder.stop();
  const unrecorded = await listUnrecorded();

  const next = openRecorder();
  next.start();
  await next.stop();

  expect(new Set(errors)).toEqual(new Set(['recorder thread failed']));
  expect(unrecorded).toContain(id);
  expect(await listUnrecorded()).toEqual([]);
});

test('a mark that the store refuses is made again', async () => {
  let refusals = 1;
  const { markRecorded } = storage.runs;
  storage.runs.markRecorded = async (mark) => {
    if (refusals === 0) return markRecorded(mark);
    refusals -= 1;
    throw new Error('the disk is full');
  };
  const recorder = openRecorder();
  recorder.start();
  const id = await addEndedRun();

  await vi.waitFor(async () => expect(await listUnrecorded()).toEqual([]), PATIENCE);

  expect(await isBundled(id)).toBe(true);
  await recorder.stop();
});

test('what was told last of a run that goes on is recorded before the end', async () => {
  const recorder = openRecorder();
  recorder.start();
  await addEndedRun();
  await vi.waitFor(async () => expect(await listUnrecorded()).toEqual([]), PATIENCE);

  const open = await addRun();
  await recorder.stop();

  const files = createAuditReader({ root: root.path });
  const found = await verifyAudit({ store: storage, files }, {});
  expect(found).toMatchObject({ faults: [], pendingRuns: 0, files: { runs: 2 } });
  expect((await storage.runs.find(open))?.endedAtMs).toBeUndefined();
});
