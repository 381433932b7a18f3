import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { createAuditReader } from '../../storage/files/create-audit-reader.ts';
import { openRecordFiles } from '../../storage/files/open-record-files.ts';
import { connect } from '../../storage/sqlite/driver.ts';
import { openSqliteStorage } from '../../storage/sqlite/open-sqlite-storage.ts';
import { systemClock } from '../clock.ts';
import { createIds } from '../create-ids.ts';
import type { Event } from '../events/event.ts';
import { CHAIN_ROOT, hashEvent } from '../events/hash-chain.ts';
import { createSeal } from '../events/seal.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { NO_TOTALS } from '../runs/run.ts';
import type { Storage } from '../storage.ts';
import { decodeAuditLine, encodeAuditLine } from './audit-line.ts';
import { auditPath, bundlesPath } from './record-paths.ts';
import { createRecorder } from './recorder.ts';
import { type AuditVerdict, verifyAudit } from './verify-audit.ts';

const ids = createIds(Date.now);
const seal = createSeal({ ids, redactor: createRedactor() });
const RUNS = 4;
const EVENTS = 6;

let template: TempRoot;
let runIds: RunId[];

/** Four recorded runs of six events, one of them without its first two, and an open one that is not written yet. */
beforeAll(async () => {
  template = await openTempRoot();
  const storage = await openAt(template.path);
  runIds = [];
  for (let count = 0; count < RUNS; count += 1) runIds.push(await addRun(storage, true));
  await record(template.path, storage);
  await storage.retention.prune([{ runId: runIds[0] as RunId, through: 2 }]);
  await addRun(storage, false);
  await storage.close();
});

afterAll(() => template.remove());

function openAt(path: string, readOnly = false): Promise<Storage> {
  const file = join(path, 'pincer.db');
  return openSqliteStorage({ file, writer: 'inline', readOnly, logger: silentLogger });
}

async function addRun(storage: Storage, isEnded: boolean): Promise<RunId> {
  const id = ids.run();
  const started = seal({ type: 'run.started', payload: {} });
  const created = await storage.runs.create(
    { id, agentId: DEFAULT_AGENT_ID, source: 'test', message: 'hello' },
    [seal({ type: 'run.created', payload: { message: 'hello' } })],
    { maxQueued: 10, lease: { owner: 'test', leaseMs: 60_000, started } },
  );
  if (created.outcome !== 'created' || !created.lease) throw new Error('not created');
  const lease = { runId: id, leaseId: created.lease.id };
  const deltas = [1, 2, 3].map((text) => seal({ type: 'model.delta', payload: { text } }));
  await storage.runs.append(lease, deltas);
  if (!isEnded) return id;
  const terminal = seal({ type: 'run.completed', payload: { output: 'done' } });
  const end = { stopReason: 'completed', output: 'done', totals: NO_TOTALS } as const;
  await storage.runs.finish(lease, [terminal], { status: 'completed', ...end });
  return id;
}

async function record(path: string, storage: Storage): Promise<void> {
  const sink = openRecordFiles({ root: path });
  const recorder = createRecorder({ ...storage, sink, clock: systemClock, logger: silentLogger });
  expect(await recorder.drain()).toBe(true);
  await recorder.stop();
  await sink.close();
}

/** A closed database removes what lies beside it when its last statement is collected, perhaps in the middle of a copy. */
function copyTemplate(to: string): Promise<void> {
  return vi.waitFor(() => cp(template.path, to, { recursive: true }));
}

/** What is found on a copy that somebody got hold of. */
async function verifyAfter(tamper: (path: string) => Promise<void> | void): Promise<AuditVerdict> {
  const copy = await openTempRoot();
  try {
    await copyTemplate(copy.path);
    await tamper(copy.path);
    const storage = await openAt(copy.path, true);
    try {
      return await verifyAudit(
        { store: storage, files: createAuditReader({ root: copy.path }) },
        {},
      );
    } finally {
      await storage.close();
    }
  } finally {
    await copy.remove();
  }
}

function alter(path: string, work: (run: (sql: string, ...values: string[]) => void) => void) {
  const db = connect(join(path, 'pincer.db'), { readOnly: false });
  try {
    work((sql, ...values) => void db.prepare(sql).run(...values));
  } finally {
    db.close();
  }
}

const EVENTS_OF = 'part_no = (SELECT no FROM runs WHERE id = ?)';
const TEXTS_OF = 'run_no = (SELECT no FROM runs WHERE id = ?)';

/** Changes one event of a run and everything that follows from it, as somebody would who knows how the chain is made. */
function rewrite(events: readonly Event[], from: number): Event[] {
  let prevHash = events[0]?.prevHash ?? CHAIN_ROOT;
  return events.map((event) => {
    const payload = event.seq === from ? { ...event.payload, text: 'forged' } : event.payload;
    const link = { ...event, payload, prevHash };
    prevHash = hashEvent(link);
    return { ...link, hash: prevHash };
  });
}

async function rewriteLog(path: string, runId: RunId, from: number): Promise<void> {
  const storage = await openAt(path);
  const floor = await storage.events.floor(runId);
  const events = await storage.events.read(runId, { after: floor, limit: 100 });
  await storage.close();
  const forged = rewrite(events, Math.max(from, floor + 1));
  alter(path, (run) => {
    for (const { seq, hash, payload } of forged) {
      run(
        `UPDATE events SET hash = ?, payload = ? WHERE seq = ${seq} AND ${EVENTS_OF}`,
        ...[hash, JSON.stringify(payload), runId],
      );
    }
    run('UPDATE runs SET final_hash = ? WHERE id = ?', forged.at(-1)?.hash ?? '', runId);
  });
}

async function auditFileOf(path: string): Promise<string> {
  const directory = join(path, auditPath(DEFAULT_AGENT_ID));
  return join(directory, (await readdir(directory))[0] ?? '');
}

async function editLines(path: string, edit: (lines: string[]) => string[]): Promise<void> {
  const file = await auditFileOf(path);
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  await writeFile(
    file,
    edit(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

function isOf(line: string, runId: RunId, seq?: number): boolean {
  const event = decodeAuditLine(line);
  return event?.runId === runId && (seq === undefined || event.seq === seq);
}

type Attack = (path: string, target: { readonly runId: RunId; readonly seq: number }) => unknown;

const ATTACKS: Readonly<Record<string, Attack>> = {
  'an event changed': (path, { runId, seq }) =>
    alter(path, (run) =>
      run(
        `UPDATE events SET payload = '{"text":"forged"}' WHERE seq = ${Math.max(3, seq)} AND ${EVENTS_OF}`,
        runId,
      ),
    ),
  'a log rewritten with fitting hashes': (path, { runId, seq }) => rewriteLog(path, runId, seq),
  'an event deleted': (path, { runId, seq }) =>
    alter(path, (run) =>
      run(`DELETE FROM events WHERE seq = ${Math.max(3, seq)} AND ${EVENTS_OF}`, runId),
    ),
  'the end of a log cut off, and its row made to fit': (path, { runId, seq }) =>
    alter(path, (run) => {
      const last = Math.max(3, Math.min(seq, EVENTS - 1));
      run(`DELETE FROM events WHERE seq > ${last} AND ${EVENTS_OF}`, runId);
      run(
        `UPDATE runs SET status = 'running', ended_at_ms = NULL, final_seq = NULL, final_hash = NULL WHERE id = ?`,
        runId,
      );
    }),
  'a run deleted': (path, { runId }) =>
    alter(path, (run) => {
      run(`DELETE FROM events WHERE ${EVENTS_OF}`, runId);
      run(`DELETE FROM run_texts WHERE ${TEXTS_OF}`, runId);
      run('DELETE FROM runs WHERE id = ?', runId);
    }),
  'a status changed': (path, { runId }) =>
    alter(path, (run) => run(`UPDATE runs SET status = 'failed' WHERE id = ?`, runId)),
  'an answer changed in the row': (path, { runId }) =>
    alter(path, (run) => run(`UPDATE run_texts SET output = '"other"' WHERE ${TEXTS_OF}`, runId)),
  'a hash changed in the row': (path, { runId }) =>
    alter(path, (run) => run(`UPDATE runs SET final_hash = 'x' WHERE id = ?`, runId)),
  'a run forged in the database': async (path) => {
    const storage = await openAt(path);
    const runId = await addRun(storage, true);
    await storage.runs.markRecorded([{ runId, auditedSeq: EVENTS, bundled: true }]);
    await storage.close();
  },
  'a line changed': (path, { runId, seq }) =>
    editLines(path, (lines) =>
      lines.map((line) =>
        isOf(line, runId, seq) ? line.replace('"actor":"', '"actor":"x') : line,
      ),
    ),
  'lines rewritten with fitting hashes': (path, { runId, seq }) =>
    editLines(path, (lines) => {
      const events = lines.flatMap((line) => {
        const event = decodeAuditLine(line);
        return event?.runId === runId ? [event] : [];
      });
      const forged = rewrite(events, seq).map((event) => encodeAuditLine(event).json);
      return lines.map((line) => (isOf(line, runId) ? (forged.shift() ?? '') : line));
    }),
  'a line deleted': (path, { runId, seq }) =>
    editLines(path, (lines) => lines.filter((line) => !isOf(line, runId, seq))),
  'the last lines of a run deleted': (path, { runId, seq }) =>
    editLines(path, (lines) =>
      lines.filter((line) => !(isOf(line, runId) && (decodeAuditLine(line)?.seq ?? 0) >= seq)),
    ),
  'all lines of a run deleted': (path, { runId }) =>
    editLines(path, (lines) => lines.filter((line) => !isOf(line, runId))),
  'all lines of a run deleted while its bundle was to come': async (path, { runId }) => {
    alter(path, (run) =>
      run('UPDATE runs SET recorded = 0, bundled = 0 WHERE id = ? AND recorded = 1', runId),
    );
    await editLines(path, (lines) => lines.filter((line) => !isOf(line, runId)));
  },
  'a line written twice': (path, { runId, seq }) =>
    editLines(path, (lines) => [...lines, ...lines.filter((line) => isOf(line, runId, seq))]),
  'a run forged in the files': (path, { runId }) =>
    editLines(path, (lines) => {
      const events = lines.map(decodeAuditLine).filter((event) => event?.runId === runId);
      const other = events.map((event) => ({ ...event, runId: 'run_forged' }) as Event);
      return [...lines, ...rewrite(other, 1).map((event) => encodeAuditLine(event).json)];
    }),
  'a file cut off': async (path, { seq }) => {
    const file = await auditFileOf(path);
    const text = await readFile(file);
    await writeFile(file, text.subarray(0, Math.floor((text.length * (seq - 0.5)) / EVENTS)));
  },
};

test('untouched records are whole, and what is not written yet is said and no fault', async () => {
  const verdict = await verifyAfter(() => {});

  expect(verdict.faults).toEqual([]);
  expect(verdict).toMatchObject({
    log: { runs: RUNS + 1, prunedRuns: 1, isComplete: true },
    files: { files: 1, lines: RUNS * EVENTS, runs: RUNS, isComplete: true },
    pendingRuns: 1,
  });
});

test('whatever somebody does to either side is found', async () => {
  const target = fc.record({
    run: fc.nat(RUNS - 1),
    seq: fc.integer({ min: 1, max: EVENTS }),
    attack: fc.constantFrom(...Object.keys(ATTACKS)),
  });

  await fc.assert(
    fc.asyncProperty(target, async ({ run, seq, attack }) => {
      const runId = runIds[run] as RunId;
      const { faults } = await verifyAfter(async (path) => {
        await ATTACKS[attack]?.(path, { runId, seq });
      });
      expect(faults, attack).not.toEqual([]);
    }),
    {
      numRuns: 30,
      // Each of them at least once.
      examples: Object.keys(ATTACKS).map((attack) => [{ run: 1, seq: 4, attack }]),
    },
  );
}, 60_000);

const somebody = () => ({ runId: runIds[1] as RunId, seq: 4 });

test('a rewritten log is told apart from rewritten lines by the bundle', async () => {
  const log = await verifyAfter((path) => rewriteLog(path, somebody().runId, 4));
  const lines = await verifyAfter(async (path) => {
    await ATTACKS['lines rewritten with fitting hashes']?.(path, somebody());
  });
  const neither = await verifyAfter(async (path) => {
    await rewriteLog(path, somebody().runId, 4);
    const bundle = join(path, bundlesPath(DEFAULT_AGENT_ID), somebody().runId, 'events.jsonl');
    await writeFile(bundle, '');
  });

  const place = { runId: somebody().runId, seq: 4, reason: 'differs' };
  const written = { file: expect.stringMatching(/\.jsonl$/), line: expect.any(Number) };
  expect(log.faults).toEqual([{ where: 'database', ...place, ...written }]);
  expect(lines.faults).toEqual([{ where: 'audit_file', ...place, ...written }]);
  expect(neither.faults).toEqual([{ where: 'both', ...place, ...written }]);
});

test.each([
  ['a run deleted', { where: 'database', reason: 'missing_run', seq: EVENTS }],
  [
    'the end of a log cut off, and its row made to fit',
    { where: 'database', reason: 'missing_events', seq: 5 },
  ],
  ['a status changed', { where: 'database', reason: 'status_mismatch', seq: EVENTS }],
  ['an answer changed in the row', { where: 'database', reason: 'row_mismatch', seq: EVENTS }],
  ['the last lines of a run deleted', { where: 'audit_file', reason: 'missing_line', seq: 4 }],
  ['all lines of a run deleted', { where: 'audit_file', reason: 'missing_line', seq: 1 }],
])('%s is told with its side, run and event', async (attack, expected) => {
  const { faults } = await verifyAfter(async (path) => {
    await ATTACKS[attack]?.(path, somebody());
  });

  expect(faults).toEqual([expect.objectContaining({ ...expected, runId: somebody().runId })]);
});

test('a row and a line that can not be read are one fault each, and the rest is checked', async () => {
  const { faults, log } = await verifyAfter(async (path) => {
    alter(path, (run) => {
      run(`UPDATE run_texts SET message = 'not JSON' WHERE ${TEXTS_OF}`, runIds[1] as RunId);
      run(
        `UPDATE events SET payload = 'not JSON' WHERE seq = 4 AND ${EVENTS_OF}`,
        runIds[2] as RunId,
      );
    });
    await editLines(path, (lines) => [...lines, 'not ours']);
  });

  expect(log.runs).toBe(RUNS + 1);
  expect(faults.map(({ where, reason, runId }) => [where, reason, runId])).toEqual([
    ['database', 'unreadable', runIds[2]],
    ['database', 'unreadable', runIds[1]],
    ['audit_file', 'torn', undefined],
  ]);
});

test('a database that is gone is missed for every run that the files know', async () => {
  const files = createAuditReader({ root: template.path });

  const { faults } = await verifyAudit({ store: undefined, files }, {});

  expect(faults.map(({ where, reason }) => [where, reason])).toEqual(
    Array.from({ length: RUNS }, () => ['database', 'missing_run']),
  );
});

test('more runs than fit in memory are checked in several readings, with the same result', async () => {
  const copy = await openTempRoot();
  await copyTemplate(copy.path);
  await ATTACKS['all lines of a run deleted']?.(copy.path, somebody());
  await mkdir(join(copy.path, auditPath('agent_other')), { recursive: true });
  await writeFile(join(copy.path, auditPath('agent_other'), '2026-02-15.jsonl'), 'torn\n');
  const storage = await openAt(copy.path, true);

  const whole = await verifyAudit(
    { store: storage, files: createAuditReader({ root: copy.path }) },
    {},
  );
  const readings: number[] = [];
  const files = createAuditReader({ root: copy.path, maxRuns: 1 });
  const inParts = await verifyAudit(
    {
      store: storage,
      files: {
        ...files,
        check(request) {
          readings.push(request.part.modulus);
          return files.check(request);
        },
      },
    },
    {},
  );

  expect(readings.length).toBeGreaterThan(1);
  expect(new Set(inParts.faults)).toEqual(new Set(whole.faults));
  expect(inParts.log).toMatchObject({ runs: whole.log.runs, events: whole.log.events });
  expect(inParts.files).toEqual(whole.files);
  await storage.close();
  await copy.remove();
});
