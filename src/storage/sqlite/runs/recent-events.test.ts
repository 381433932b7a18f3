import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createIds } from '../../../core/create-ids.ts';
import type { EventType, NewsEvent } from '../../../core/events/event.ts';
import { createSeal } from '../../../core/events/seal.ts';
import { isStaleCursor } from '../../../core/events/stale-cursor.ts';
import type { AgentId, LeaseId, RunId } from '../../../core/ids.ts';
import { NO_TOTALS } from '../../../core/runs/run.ts';
import type { ClaimedRun, CreateResult } from '../../../core/runs/run-store.ts';
import { loadMigrations } from '../../load-migrations.ts';
import { createBatchExecutor } from '../batch-executor.ts';
import type { Database } from '../driver.ts';
import { migrate } from '../migrate.ts';
import { openDatabase } from '../open-database.ts';
import type { WriteRequest } from '../write-ops.ts';
import { createEventReads } from './event-reads.ts';
import { createRecentEvents } from './recent-events.ts';

const AGENT = 'agent_default' as AgentId;
const RUNS = 3;
/** Some ten events: little enough that most runs of the property evict. */
const MAX_BYTES = 4_000;

const ids = createIds(() => 1_800_000_000_000);
const seal = createSeal({
  ids,
  redactor: {
    redact: (value) => ({ value, paths: 'secret' in Object(value) ? ['payload.secret'] : [] }),
    redactText: (text) => text,
  },
});
const draft = (type: EventType, payload: Record<string, string> = {}) => seal({ type, payload });

type Op =
  | { readonly op: 'create'; readonly run: number; readonly isHeld: boolean }
  | { readonly op: 'append'; readonly run: number; readonly texts: readonly string[] }
  | { readonly op: 'frame' | 'cancel' | 'note' | 'finish' | 'prune'; readonly run: number }
  | { readonly op: 'steal'; readonly run: number }
  | { readonly op: 'claim' | 'release'; readonly run: number };

interface Batch {
  readonly ops: readonly Op[];
  /** By another process, which nobody is told of. */
  readonly isForeign: boolean;
}

const run = fc.nat({ max: RUNS - 1 });
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('create'), run, isHeld: fc.boolean() }) },
  {
    weight: 12,
    arbitrary: fc.record({
      op: fc.constant('append'),
      run,
      texts: fc.array(fc.string({ maxLength: 300 }), { maxLength: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constantFrom('frame', 'cancel', 'note', 'finish', 'prune', 'steal'),
      run,
    }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('claim', 'release'), run }) },
) as fc.Arbitrary<Op>;
const batch: fc.Arbitrary<Batch> = fc.record({
  ops: fc.array(op, { minLength: 1, maxLength: 5 }),
  isForeign: fc.constantFrom(false, false, false, true),
});

function openRig() {
  const root = mkdtempSync(join(tmpdir(), 'pincer-test-'));
  const file = join(root, 'pincer.db');
  const databases = ['own', 'other', 'reader'].map(() => openDatabase({ file, readOnly: false }));
  const [own, other, reader] = databases as [Database, Database, Database];
  migrate(own, file, loadMigrations('sqlite'));
  const close = () => {
    for (const db of databases) db.close();
    rmSync(root, { recursive: true });
  };
  const recent = createRecentEvents(MAX_BYTES);
  const stored = createEventReads(reader);
  const executors = { own: createBatchExecutor(own), other: createBatchExecutor(other) };
  const runIds = Array.from({ length: RUNS }, () => ids.run());
  const leases = new Map<RunId, LeaseId>();
  let nowMs = 1_800_000_000_000;

  function toRequests(one: Op): WriteRequest[] {
    const runId = runIds[one.run] as RunId;
    const lease = { runId, leaseId: leases.get(runId) ?? ('lease_none' as LeaseId) };
    const held = { owner: 'test', leaseMs: 1e9 };
    const started = draft('run.started');
    switch (one.op) {
      case 'create': {
        const created = { id: runId, agentId: AGENT, source: 'test', message: 'hello' };
        const options = { maxQueued: 10, ...(one.isHeld && { lease: { ...held, started } }) };
        return [{ op: 'create', args: [created, [draft('run.created')], options] }];
      }
      case 'append': {
        const drafts = one.texts.map((text) => draft('model.delta', { text }));
        return [{ op: 'append', args: [lease, drafts] }];
      }
      case 'steal':
        return [
          { op: 'append', args: [{ runId, leaseId: 'lease_other' }, [draft('model.delta')]] },
        ];
      case 'frame': {
        const frame = { runId, frameId: ids.event(), digest: 'd', maxFrames: 100 };
        return [{ op: 'acceptFrame', args: [frame, draft('frame.accepted', { secret: 'x' })] }];
      }
      case 'note':
        return [{ op: 'note', args: [runId, [draft('agent.noted')]] }];
      case 'cancel': {
        const drafts = {
          requested: draft('run.cancel_requested'),
          cancelled: draft('run.cancelled'),
        };
        return [{ op: 'requestCancel', args: [runId, drafts] }];
      }
      case 'finish': {
        const end = { status: 'completed', stopReason: 'done', output: '', totals: NO_TOTALS };
        return [{ op: 'finish', args: [lease, [draft('run.completed')], { end }] }];
      }
      case 'claim': {
        const request = { ...held, only: runId, started, recovered: draft('run.recovered') };
        return [{ op: 'claim', args: [request] }];
      }
      case 'release':
        return [{ op: 'release', args: [[lease]] }];
      case 'prune':
        return [
          { op: 'markRecorded', args: [[{ runId, auditedSeq: 1e6, bundled: true }]] },
          { op: 'pruneEvents', args: [[{ runId, through: 3 }]] },
        ];
    }
  }

  function keepLease(value: unknown): void {
    const { lease } = (value ?? {}) as Partial<ClaimedRun> & Partial<CreateResult & object>;
    if (lease) leases.set(lease.runId, lease.id);
  }

  return {
    recent,
    stored,
    runIds,
    close,
    perform({ ops, isForeign }: Batch): void {
      const writes = ops.flatMap(toRequests);
      nowMs += 1;
      const report = executors[isForeign ? 'other' : 'own'](writes, nowMs);
      for (const outcome of report.outcomes) if (outcome.ok) keepLease(outcome.value);
      if (!isForeign) recent.learn({ ...report, writes });
    },
  };
}

type Rig = ReturnType<typeof openRig>;

const facts = ({ id, runId, agentId, seq, type, atMs, actor, payload, redactions }: NewsEvent) =>
  JSON.stringify({ id, runId, agentId, seq, type, atMs, actor, payload, redactions });

/** How many of the pages were there without the database. */
function assertSame({ recent, stored, runIds }: Rig): number {
  let served = 0;
  for (const runId of runIds) {
    for (const page of [0, 1, 3, 8, 40].flatMap((after) => [
      { after, limit: 2 },
      { after, limit: 100 },
    ])) {
      const known = recent.read(runId, page);
      if (known === undefined) continue;
      served += 1;
      expect(known.map(facts)).toEqual(readStored(stored, runId, page).map(facts));
    }
    const [last] = readStored(stored, runId, { after: 0, limit: 100 }).slice(-1);
    if (recent.isOpen(runId)) expect(last?.type).not.toMatch(/^run\.(completed|cancelled|failed)$/);
    if (recent.isOpen(runId)) expect(last).toBeDefined();
  }
  return served;
}

/** Of a log whose beginning is gone, what is kept. */
function readStored(stored: Rig['stored'], runId: RunId, page: { after: number; limit: number }) {
  try {
    return stored(runId, page);
  } catch (thrown) {
    if (!isStaleCursor(thrown)) throw thrown;
    return [];
  }
}

test('whatever is written, forgotten and deleted, by whomever: what is read is what is stored', () => {
  let served = 0;
  fc.assert(
    fc.property(fc.array(batch, { minLength: 4, maxLength: 30 }), (batches) => {
      const rig = openRig();
      try {
        for (const one of batches) {
          rig.perform(one);
          // Until it is noticed, as by the next batch or by looking every second.
          if (!one.isForeign) served += assertSame(rig);
        }
        rig.recent.clear();
        expect(assertSame(rig)).toBe(0);
      } finally {
        rig.close();
      }
    }),
    { numRuns: 20 },
  );
  expect(served).toBeGreaterThan(300);
});

test('what is kept in memory has a bound, and the end of a log outlives its beginning there', () => {
  const rig = openRig();
  onTestFinished(rig.close);
  rig.perform({ ops: [{ op: 'create', run: 0, isHeld: true }], isForeign: false });
  const texts = ['x'.repeat(300)];
  for (let count = 0; count < 40; count += 1) {
    rig.perform({ ops: [{ op: 'append', run: 0, texts }], isForeign: false });
  }
  const [runId] = rig.runIds as [RunId];

  expect(rig.recent.read(runId, { after: 0, limit: 10 })).toBeUndefined();
  expect(rig.recent.read(runId, { after: 41, limit: 10 })?.map(({ seq }) => seq)).toEqual([42]);
  expect(rig.recent.read(runId, { after: 42, limit: 10 })).toEqual([]);
});

test('a run is not open here once it has ended or somebody else has written', () => {
  const rig = openRig();
  onTestFinished(rig.close);
  const create = (index: number): Op => ({ op: 'create', run: index, isHeld: true });
  rig.perform({ ops: [create(0), create(1)], isForeign: false });
  const [first, second] = rig.runIds as [RunId, RunId];
  expect([first, second].map(rig.recent.isOpen)).toEqual([true, true]);

  rig.perform({ ops: [{ op: 'finish', run: 0 }], isForeign: false });
  expect([first, second].map(rig.recent.isOpen)).toEqual([false, true]);

  rig.perform({ ops: [{ op: 'note', run: 1 }], isForeign: true });
  rig.perform({ ops: [{ op: 'note', run: 0 }], isForeign: false });
  expect(rig.recent.isOpen(second)).toBe(false);
});
