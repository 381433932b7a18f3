import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { openRecordFiles } from '../../storage/files/open-record-files.ts';
import { verifyAuditFiles } from '../../storage/files/verify-audit-files.ts';
import { openSqliteStorage } from '../../storage/sqlite/open-sqlite-storage.ts';
import { systemClock } from '../clock.ts';
import { createIds } from '../create-ids.ts';
import type { Event, EventDraft } from '../events/event.ts';
import { createSeal } from '../events/seal.ts';
import { type AgentId, DEFAULT_AGENT_ID, type RunId } from '../ids.ts';
import { type LogFields, silentLogger } from '../log.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { NO_TOTALS } from '../runs/run.ts';
import type { LeaseRef } from '../runs/run-store.ts';
import type { Storage } from '../storage.ts';
import { encodeAuditLine } from './audit-line.ts';
import { auditFileName, auditPath, bundlePath } from './record-paths.ts';
import type { RecordSink } from './record-sink.ts';
import { createRecorder, type Recorder } from './recorder.ts';

const DEADLINE_MS = 10_000;
const OTHER_AGENT = 'agent_other' as AgentId;
const ids = createIds(Date.now);
const seal = createSeal({ ids, redactor: createRedactor() });

let root: TempRoot;
let storage: Storage;
let sink: RecordSink;
let recorder: Recorder;
let logged: string[];

beforeEach(async () => {
  root = await openTempRoot();
  await mkdir(join(root.path, '.openclawssy'));
  storage = await openSqliteStorage({
    file: join(root.path, '.openclawssy/pincer.db'),
    writer: 'inline',
    logger: silentLogger,
  });
  logged = [];
  openRecorder();
});

afterEach(async () => {
  await recorder.stop();
  await sink.close();
  await storage.close();
  await root.remove();
});

function openRecorder(): void {
  const log = (level: string) => (_fields: LogFields, message: string) => {
    logged.push(`${level}: ${message}`);
  };
  const logger = { ...silentLogger, info: log('info'), warn: log('warn'), error: log('error') };
  sink = openRecordFiles({ root: root.path });
  recorder = createRecorder({ ...storage, sink, clock: systemClock, logger });
}

async function beginRun(agentId = DEFAULT_AGENT_ID): Promise<LeaseRef> {
  const id = ids.run();
  const created = await storage.runs.create(
    { id, agentId, source: 'test', message: 'hello' },
    [seal({ type: 'run.created', payload: { message: 'hello' } })],
    {
      maxQueued: 100,
      lease: {
        owner: 'test',
        leaseMs: 60_000,
        started: seal({ type: 'run.started', payload: {} }),
      },
    },
  );
  if (created.outcome !== 'created' || !created.lease) throw new Error(created.outcome);
  return { runId: id, leaseId: created.lease.id };
}

async function append(lease: LeaseRef, count: number): Promise<void> {
  const drafts: EventDraft[] = Array.from({ length: count }, (_, turn) => ({
    type: 'model.delta',
    payload: { turn, text: 'some text' },
  }));
  await storage.runs.append(lease, drafts.map(seal));
}

async function endRun(lease: LeaseRef): Promise<void> {
  await storage.runs.finish(lease, [seal({ type: 'run.completed', payload: {} })], {
    status: 'completed',
    stopReason: 'completed',
    output: 'done',
    totals: NO_TOTALS,
  });
}

async function allEvents(runId: RunId): Promise<Event[]> {
  return storage.events.read(runId, { after: 0, limit: 1_000 });
}

async function linesOf(runIds: readonly RunId[], agentId = DEFAULT_AGENT_ID): Promise<string[]> {
  const directory = join(root.path, auditPath(agentId));
  const names = await readdir(directory).catch(() => []);
  const texts = await Promise.all(
    names.sort().map((name) => readFile(join(directory, name), 'utf8')),
  );
  const lines = texts.join('').split('\n');
  return lines.filter((line) => runIds.some((id) => line.includes(`"run_id":"${id}"`)));
}

async function expectRecorded(runId: RunId, agentId = DEFAULT_AGENT_ID): Promise<void> {
  const expected = (await allEvents(runId)).map((event) => encodeAuditLine(event).json);
  expect(await linesOf([runId], agentId)).toEqual(expected);
  const bundle = join(root.path, bundlePath(agentId, runId));
  expect(await readFile(join(bundle, 'events.jsonl'), 'utf8')).toBe(`${expected.join('\n')}\n`);
  expect((await readdir(bundle)).sort()).toEqual([
    'events.jsonl',
    'input.json',
    'meta.json',
    'output.md',
    'prompt.md',
    'toolcalls.jsonl',
  ]);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + DEADLINE_MS;
  while (!(await condition())) {
    if (Date.now() > deadlineMs) throw new Error('the condition did not come true in time');
    await systemClock.sleep(10);
  }
}

test('lines follow an open run, and its bundle follows its end', async () => {
  recorder.start();
  const lease = await beginRun();
  await append(lease, 3);

  await until(async () => (await linesOf([lease.runId])).length === 5);
  await endRun(lease);
  await until(async () => (await storage.runs.listUnrecorded(10)).length === 0);

  await expectRecorded(lease.runId);
});

test('many runs of several agents are recorded, each line once and in order', async () => {
  recorder.start();
  const agents = [DEFAULT_AGENT_ID, OTHER_AGENT];
  const runs = await Promise.all(
    Array.from({ length: 150 }, async (_, index) => {
      const agentId = agents[index % 2] ?? DEFAULT_AGENT_ID;
      const lease = await beginRun(agentId);
      await append(lease, index % 5);
      await endRun(lease);
      return { agentId, runId: lease.runId };
    }),
  );

  const isComplete = await recorder.drain();

  expect(isComplete).toBe(true);
  expect(await storage.runs.listUnrecorded(10)).toEqual([]);
  for (const { runId, agentId } of runs.slice(0, 10)) await expectRecorded(runId, agentId);
  expect(await verifyAuditFiles({ root: root.path })).toMatchObject({
    ok: true,
    runs: 150,
    lines: 150 * 3 + 30 * (0 + 1 + 2 + 3 + 4),
    openRuns: 0,
  });
});

test('a run with more events than one pass takes is recorded whole', async () => {
  recorder.start();
  const lease = await beginRun();
  await append(lease, 300);
  await endRun(lease);

  await recorder.drain();

  await expectRecorded(lease.runId);
});

test('a run cancelled before anybody claimed it is recorded', async () => {
  const id = ids.run();
  await storage.runs.create(
    { id, agentId: DEFAULT_AGENT_ID, source: 'test', message: 'hello' },
    [seal({ type: 'run.created', payload: {} })],
    { maxQueued: 10 },
  );
  await storage.runs.requestCancel(id, {
    requested: seal({ type: 'run.cancel_requested', payload: {} }),
    cancelled: seal({ type: 'run.cancelled', payload: {} }),
  });

  await recorder.drain();

  await expectRecorded(id);
});

test.each([0, 1, 3, 5])(
  'after a crash that had written %i lines and marked none, no line is missing and none is double',
  async (written) => {
    const ended = await beginRun();
    const open = await beginRun();
    await append(ended, 3);
    await endRun(ended);
    for (const { runId } of [ended, open]) {
      const lines = (await allEvents(runId)).slice(0, written).map(encodeAuditLine);
      await sink.appendAudit(DEFAULT_AGENT_ID, lines);
    }
    await sink.close();

    openRecorder();
    recorder.start();
    await append(open, 2);
    await endRun(open);
    await recorder.drain();

    await expectRecorded(ended.runId);
    await expectRecorded(open.runId);
    expect(await storage.runs.listUnrecorded(10)).toEqual([]);
  },
);

test('a line torn by a crash is closed, left as it is, and its event written again whole', async () => {
  const lease = await beginRun();
  await endRun(lease);
  const events = await allEvents(lease.runId);
  const [first, second, third] = events.map((event) => encodeAuditLine(event).json);
  const path = join(root.path, auditPath(DEFAULT_AGENT_ID), auditFileName(events[0]?.atMs ?? 0));
  const torn = `${first}\n${second?.slice(0, 90)}`;
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, torn);

  await recorder.drain();

  expect(await readFile(path, 'utf8')).toBe(`${torn}\n${second}\n${third}\n`);
  expect(await verifyAuditFiles({ root: root.path })).toMatchObject({ ok: true, healedLines: 1 });
});

test('a line that lacks only its line break counts as written', async () => {
  const lease = await beginRun();
  await endRun(lease);
  const events = await allEvents(lease.runId);
  const [first, second, third] = events.map((event) => encodeAuditLine(event).json);
  const path = join(root.path, auditPath(DEFAULT_AGENT_ID), auditFileName(events[0]?.atMs ?? 0));
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${first}\n${second}`);

  await recorder.drain();

  expect(await readFile(path, 'utf8')).toBe(`${first}\n${second}\n${third}\n`);
});

test('a disk that refuses is reported once, and nothing is lost when it works again', async () => {
  const audit = join(root.path, auditPath(DEFAULT_AGENT_ID));
  await mkdir(dirname(audit), { recursive: true });
  await writeFile(audit, 'in the way');
  const lease = await beginRun();
  const other = await beginRun(OTHER_AGENT);
  await append(lease, 2);
  await endRun(lease);
  await endRun(other);

  const first = await recorder.drain();
  const second = await recorder.drain();
  const unrecorded = (await storage.runs.listUnrecorded(10)).map(({ run }) => run.id);
  await rm(audit);
  const third = await recorder.drain();

  expect([first, second, third]).toEqual([false, false, true]);
  expect(unrecorded).toContain(lease.runId);
  await expectRecorded(lease.runId);
  await expectRecorded(other.runId, OTHER_AGENT);
  expect(logged).toEqual([
    'error: audit files or bundles could not be written, retrying',
    'info: records are written again',
  ]);
});

test('a bundle that could not be written is written later, without writing the lines again', async () => {
  const lease = await beginRun();
  await endRun(lease);
  const bundles = dirname(join(root.path, bundlePath(DEFAULT_AGENT_ID, lease.runId)));
  await mkdir(dirname(bundles), { recursive: true });
  await writeFile(bundles, 'in the way');

  const first = await recorder.drain();
  await rm(bundles);
  const second = await recorder.drain();

  expect([first, second]).toEqual([false, true]);
  await expectRecorded(lease.runId);
});

test('retries by itself after a failure', async () => {
  const bundles = join(root.path, dirname(bundlePath(DEFAULT_AGENT_ID, 'x')));
  await mkdir(dirname(bundles), { recursive: true });
  await writeFile(bundles, 'in the way');
  recorder.start();
  const lease = await beginRun();
  await endRun(lease);

  await until(async () => logged.length === 1);
  await rm(bundles);
  await until(async () => logged.length === 2);

  await recorder.drain();
  await expectRecorded(lease.runId);
});

test('stopping records what is there and leaves later events to the next start', async () => {
  recorder.start();
  const lease = await beginRun();
  await recorder.stop();
  await append(lease, 1);
  await endRun(lease);
  const before = (await linesOf([lease.runId])).length;

  await sink.close();
  openRecorder();
  await recorder.drain();

  expect(before).toBe(2);
  await expectRecorded(lease.runId);
});

test('a bundle that a power loss emptied is written again after the next start', async () => {
  const leases = [await beginRun(), await beginRun(), await beginRun()];
  for (const lease of leases) await endRun(lease);
  await recorder.drain();
  const [damaged, gone, whole] = leases.map(({ runId }) =>
    join(root.path, bundlePath(DEFAULT_AGENT_ID, runId)),
  ) as [string, string, string];
  await writeFile(join(damaged, 'events.jsonl'), '');
  await rm(gone, { recursive: true });
  const untouched = (await stat(whole)).ino;

  await recorder.stop();
  await sink.close();
  openRecorder();
  await recorder.drain();

  for (const { runId } of leases) await expectRecorded(runId);
  expect((await stat(whole)).ino).toBe(untouched);
});
