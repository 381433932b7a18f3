import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import { createRecorder, type Recorder } from '../../src/core/records/recorder.ts';
import { verifyAudit } from '../../src/core/records/verify-audit.ts';
import type { Storage } from '../../src/core/storage.ts';
import { createAuditReader } from '../../src/storage/files/create-audit-reader.ts';
import { openNodeId } from '../../src/storage/files/node-id.ts';
import { openRecordFiles } from '../../src/storage/files/open-record-files.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open-postgres-storage.ts';
import { claimNewRun, finishRun } from '../conformance/harness.ts';
import { connectAt, createTestDatabase } from '../conformance/open-postgres.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { findPostgres } from '../support/postgres.ts';
import { openTempRoot } from '../support/temp-root.ts';

const engine = await findPostgres();

interface Node {
  readonly id: string;
  readonly storage: Storage;
  readonly recorder: Recorder;
  verify(): ReturnType<typeof verifyAudit>;
  hasBundle(runId: RunId): Promise<boolean>;
}

/** Longer than the lease of a node. */
const GONE_MS = 120_000;

async function openNode(url: string, clock: ManualClock): Promise<Node> {
  const root = await openTempRoot();
  const id = await openNodeId(root.path);
  const { nowMs } = clock;
  const storage = await openPostgresStorage({ url, node: id, nowMs, logger: silentLogger });
  const sink = openRecordFiles({ root: root.path });
  const recorder = createRecorder({ ...storage, sink, clock, logger: silentLogger });
  onTestFinished(async () => {
    await sink.close();
    await storage.close();
    await root.remove();
  });
  const files = createAuditReader({ root: root.path });
  return {
    id,
    storage,
    recorder,
    verify: () => verifyAudit({ store: storage, files }, {}),
    hasBundle: (runId) => sink.hasBundle('agent_default' as never, runId),
  };
}

async function openNodes(): Promise<{ a: Node; b: Node; url: string; clock: ManualClock }> {
  const url = await createTestDatabase('migrated');
  const clock = new ManualClock();
  return { a: await openNode(url, clock), b: await openNode(url, clock), url, clock };
}

async function endRunOn({ storage }: Node): Promise<RunId> {
  const { run, lease } = await claimNewRun(storage.runs);
  await finishRun(storage.runs, lease);
  return run.id;
}

describe.skipIf(!engine.available)('several nodes on one PostgreSQL', () => {
  test('each run is recorded by the node that ended it, and each knows who holds what', async () => {
    const { a, b } = await openNodes();
    const ofA = await endRunOn(a);
    const ofB = await endRunOn(b);

    // B first, and told of everything: what is A's it leaves alone.
    for (const node of [a, b]) await node.storage.records.renewNode(60_000);
    expect(await b.recorder.drain()).toBe(true);
    const before = await a.verify();
    expect(await a.recorder.drain()).toBe(true);

    expect([await a.hasBundle(ofA), await a.hasBundle(ofB)]).toEqual([true, false]);
    expect([await b.hasBundle(ofA), await b.hasBundle(ofB)]).toEqual([false, true]);
    expect(before).toMatchObject({ faults: [], pendingRuns: 1, node: a.id });
    for (const [node, other] of [
      [a, b],
      [b, a],
    ] as const) {
      expect(await node.verify()).toMatchObject({
        ...{ faults: [], pendingRuns: 0, node: node.id },
        elsewhere: new Map([[other.id, 1]]),
        files: { runs: 1 },
      });
    }
  });

  test('what a node left that is gone is recorded by another, once', async () => {
    const { a, b, clock } = await openNodes();
    await a.storage.records.renewNode(60_000);
    const left = await endRunOn(a);
    await b.recorder.drain();
    const early = await b.hasBundle(left);

    clock.advance(GONE_MS);
    await b.recorder.drain();
    // It comes back, and finds the run taken.
    await a.recorder.drain();

    expect(early).toBe(false);
    expect([await a.hasBundle(left), await b.hasBundle(left)]).toEqual([false, true]);
    expect(await b.storage.runs.listUnrecorded(10)).toEqual([]);
    expect((await b.verify()).faults).toEqual([]);
    expect(await a.verify()).toMatchObject({ faults: [], elsewhere: new Map([[b.id, 1]]) });
  });

  test('of a run whose bundle was still to come, another writes the lines as well', async () => {
    const { a, b, clock } = await openNodes();
    const runId = await endRunOn(a);
    await a.storage.records.renewNode(60_000);
    await a.storage.runs.markRecorded([{ runId, auditedSeq: 3, bundled: false }]);
    const [lines, bundle] = await Promise.all([
      b.storage.runs.listUnrecorded(10, 'lines'),
      b.storage.runs.listUnrecorded(10, 'bundle'),
    ]);

    clock.advance(GONE_MS);
    expect(await b.recorder.drain()).toBe(true);

    expect([...lines, ...bundle]).toEqual([]);
    expect(await b.hasBundle(runId)).toBe(true);
    expect(await b.verify()).toMatchObject({ faults: [], pendingRuns: 0 });
  });

  test('a restart of the database in the middle leaves no run without its records', async () => {
    const { a, url } = await openNodes();
    const runId = await endRunOn(a);
    const admin = await connectAt(url);
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );

    await expect.poll(() => a.recorder.drain(), { timeout: 20_000 }).toBe(true);

    expect(await a.hasBundle(runId)).toBe(true);
    expect(await a.verify()).toMatchObject({ faults: [], pendingRuns: 0 });
  });

  test('lines that are gone are missed by the node that holds them', async () => {
    const { a, b } = await openNodes();
    const runId = await endRunOn(a);
    await a.recorder.drain();
    const admin = await a.storage.records.findHead(runId);

    const files = createAuditReader({ root: (await openTempRoot()).path });
    const { faults } = await verifyAudit(
      {
        store: a.storage,
        files: { ...files, check: async (r) => ({ ...(await files.check(r)), node: a.id }) },
      },
      {},
    );

    expect(admin?.recorder).toBe(a.id);
    expect(faults).toEqual([{ where: 'audit_file', runId, seq: 1, reason: 'missing_line' }]);
    expect((await b.verify()).faults).toEqual([]);
  });

  test('a node that is long gone is forgotten, one that was away for a while is not', async () => {
    const { a, b, url, clock } = await openNodes();
    await a.storage.records.renewNode(60_000);
    const listNodes = async () => (await (await connectAt(url)).query('select id from nodes')).rows;

    clock.advance(6 * 86_400_000);
    await b.storage.records.renewNode(60_000);
    const early = await listNodes();
    clock.advance(2 * 86_400_000);
    await b.storage.records.renewNode(60_000);

    expect(early).toHaveLength(2);
    expect(await listNodes()).toEqual([{ id: b.id }]);
  });
});
