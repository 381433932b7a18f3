import { expect, test } from 'vitest';
import { AGENT, draft, openProjectionRig, until } from '../../../test/projection/projection-rig.ts';
import type { RunId, WorkerId } from '../ids.ts';
import { findProjections } from './find-projections.ts';

const documentOf = (runId: string) => `runtime/run_summary:${runId}`;

test('writes the summary of a run as it moves, and of what happened while nobody looked', async () => {
  const { storage, sink, createRun, finishRun, startProjector } = await openProjectionRig();
  const before = await createRun();
  startProjector();
  await until(() => sink.documents.has(documentOf(before.runId)));
  const after = await createRun();
  await storage.runs.append(after, [draft('model.delta', { text: 'hi' })]);
  await finishRun(before);

  await until(() => sink.documents.get(documentOf(before.runId))?.['status'] === 'succeeded');
  await until(() => sink.documents.get(documentOf(after.runId))?.['latest_seq'] === 3);

  const run = await storage.runs.find(before.runId);
  const endedAt = new Date(run?.endedAtMs ?? 0).toISOString();
  expect(sink.documents.get(documentOf(before.runId))).toEqual({
    document_id: documentOf(before.runId),
    kind: 'run_summary',
    run_id: before.runId,
    thread_id: null,
    owner_user_id: null,
    owner_guest_scope: null,
    agent_id: 'agent_default',
    source: 'test',
    status: 'succeeded',
    latest_seq: 3,
    event_count: 3,
    latest_event_type: 'run.completed',
    latest_event_at: endedAt,
    usage: { turns: 1, tool_calls: 0, input_tokens: 5, output_tokens: 7, cost_usd: 0.25 },
    created_at: new Date(run?.createdAtMs ?? 0).toISOString(),
    started_at: new Date(run?.startedAtMs ?? 0).toISOString(),
    updated_at: endedAt,
    terminal_reason_class: 'completed',
    terminal_reason: null,
    terminal_at: endedAt,
    runtime_source: { entity: 'run', run_id: before.runId, seq: 3 },
    projection_version: 'convex_summary_v1',
    projected_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
});

test('names the thread and the owner of a run, in the words of the contract', async () => {
  const { storage, sink, startProjector } = await openProjectionRig();
  const id = 'run_thread' as RunId;
  const thread = { id: 'thread_abc', staysOpen: true };
  const owner = 'guest:tab:1';
  const run = { id, agentId: AGENT, owner, source: 'internal', message: '', thread };
  await storage.runs.create(run, [draft('run.created')], { maxQueued: 10 });
  startProjector();

  await until(() => sink.documents.has(documentOf(id)));

  expect(sink.documents.get(documentOf(id))).toMatchObject({
    thread_id: 'thread_abc',
    owner_user_id: null,
    owner_guest_scope: 'tab:1',
    status: 'created',
    latest_seq: 1,
  });
});

test('writes the summary of a worker', async () => {
  const { storage, sink, attachWorker, startProjector } = await openProjectionRig();
  startProjector();
  await attachWorker('codexw:one');
  const id = 'runtime/codex_worker_summary:codexw:one';

  await until(() => sink.documents.has(id));

  const worker = await storage.workers.find('codexw:one' as WorkerId);
  const at = new Date(worker?.startedAtMs ?? 0).toISOString();
  expect(sink.documents.get(id)).toEqual({
    document_id: id,
    kind: 'codex_worker_summary',
    worker_id: 'codexw:one',
    owner_user_id: 42,
    owner_guest_scope: null,
    workspace_ref: 'workspace://demo',
    codex_home_ref: null,
    adapter: 'in_memory',
    status: 'running',
    latest_seq: 1,
    event_count: 1,
    latest_event_type: 'worker.started',
    latest_event_at: at,
    started_at: at,
    stopped_at: null,
    last_heartbeat_at: at,
    updated_at: at,
    runtime_source: { entity: 'codex_worker', worker_id: 'codexw:one', seq: 1 },
    projection_version: 'convex_summary_v1',
    projected_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
});

test('gathers a burst of events into few writes, each newer than the one before', async () => {
  const { storage, sink, createRun, startProjector } = await openProjectionRig();
  startProjector({ intervalMs: () => 50 });
  const lease = await createRun();
  for (let count = 0; count < 200; count += 1) {
    await storage.runs.append(lease, [draft('model.delta', { text: 'x' })]);
  }

  await until(() => sink.documents.get(documentOf(lease.runId))?.['latest_seq'] === 202);

  const seqs = sink.written.map(({ summary }) => summary['latest_seq'] as number);
  expect(seqs.length).toBeLessThan(100);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(new Set(seqs).size).toBe(seqs.length);
});

test('tries a failing sink again, tells of its lag, and says so when it is mended', async () => {
  const { storage, sink, createRun, startProjector } = await openProjectionRig();
  const { projections } = storage;
  const lease = await createRun();
  startProjector();
  await until(() => sink.documents.size === 1);
  sink.refuses = () => true;
  await storage.runs.append(lease, [draft('model.delta', { text: 'a' })]);

  await until(async () => (await projections.readHealth()).failures > 0);
  const failing = await projections.readHealth();
  const lag = (
    await findProjections(projections, 'run_summary', [{ id: lease.runId, latestSeq: 3 }])
  ).get(lease.runId);
  sink.refuses = () => false;
  await until(() => sink.documents.get(documentOf(lease.runId))?.['latest_seq'] === 3);
  await until(async () => (await projections.readHealth()).failures === 0);

  expect(failing).toMatchObject({ failures: 1, error: 'internal error' });
  expect(lag).toEqual({
    documentId: documentOf(lease.runId),
    lastSeq: 2,
    lagEvents: 1,
    status: 'lagging',
    version: 'convex_summary_v1',
    lastProjectedAtMs: expect.any(Number),
  });
  const now = (
    await findProjections(projections, 'run_summary', [{ id: lease.runId, latestSeq: 3 }])
  ).get(lease.runId);
  expect(now).toMatchObject({ lagEvents: 0, status: 'in_sync', lastSeq: 3 });
});

test('one document that the sink refuses holds up no other', async () => {
  const { sink, createRun, startProjector } = await openProjectionRig();
  const refused = await createRun();
  sink.refuses = ({ id }) => id === documentOf(refused.runId);
  startProjector();
  const others = await Promise.all(Array.from({ length: 5 }, () => createRun()));

  await until(() => others.every(({ runId }) => sink.documents.has(documentOf(runId))));

  expect(sink.documents.has(documentOf(refused.runId))).toBe(false);
});

test('finds by itself what no wake-up told of, also of runs that are old', async () => {
  const { storage, sink, sources, createRun, finishRun, startProjector } =
    await openProjectionRig();
  const old = await createRun();
  const deaf = sources.map((source) => ({ ...source, watch: () => () => {} }));
  startProjector({ sources: deaf, scanMs: () => 50 });
  await until(() => sink.documents.size === 1);

  const fresh = await createRun();
  await storage.runs.append(old, [draft('model.delta', { text: 'a' })]);
  await finishRun(old);

  await until(() => sink.documents.has(documentOf(fresh.runId)));
  await until(() => sink.documents.get(documentOf(old.runId))?.['status'] === 'succeeded');
  expect(sink.documents.size).toBe(2);
});

test('goes on after a restart without writing again what is written', async () => {
  const { storage, sink, createRun, startProjector } = await openProjectionRig();
  const leases = await Promise.all(Array.from({ length: 3 }, () => createRun()));
  const first = startProjector();
  await until(() => sink.documents.size === 3);
  await first.stop();
  const [moved] = leases;
  if (!moved) throw new Error('there are three');
  await storage.runs.append(moved, [draft('model.delta', { text: 'a' })]);

  startProjector();
  await until(() => sink.written.length === 4);

  expect(sink.documents.get(documentOf(moved.runId))?.['latest_seq']).toBe(3);
  expect(sink.written).toHaveLength(4);
});

test('lets one of two servers write, and the other when the first has gone', async () => {
  const { storage, sink, createRun, startProjector } = await openProjectionRig();
  const first = startProjector({ owner: 'first' });
  await until(async () => (await storage.projections.readHealth()).writer === 'first');
  const held = await storage.projections.holdWriter('second', 1_000);
  await createRun();
  await until(() => sink.documents.size === 1);
  await first.stop();

  startProjector({ owner: 'second' });

  await until(async () => (await storage.projections.readHealth()).writer === 'second');
  expect(held).toBe(false);
});

test('writes a run that never pauses no more often than it was told to', async () => {
  const { storage, sink, createRun, startProjector } = await openProjectionRig();
  const lease = await createRun();
  // While a document is on its way the run goes on: there are news again as soon as it is written.
  sink.delay = async () => {
    await storage.runs.append(lease, [draft('model.delta', { text: 'x' })]);
  };
  startProjector({ intervalMs: () => 100 });

  await until(() => sink.written.length >= 4);

  const times = sink.written.map(({ summary }) => Date.parse(String(summary['projected_at'])));
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(90);
});

test('documents that the sink refuses again and again hold up no other', async () => {
  const { sink, createRun, startProjector } = await openProjectionRig();
  const refused = await Promise.all(Array.from({ length: 40 }, () => createRun()));
  const unwanted = new Set(refused.map(({ runId }) => documentOf(runId)));
  const attempts = { count: 0 };
  sink.refuses = ({ id }) => {
    if (unwanted.has(id)) attempts.count += 1;
    return unwanted.has(id);
  };
  const warm = await createRun();
  startProjector();
  await until(() => sink.documents.has(documentOf(warm.runId)));
  // Every one of them was tried a second time: they come back by themselves, with nobody else in their round.
  await until(() => attempts.count >= 2 * refused.length);

  const startMs = Date.now();
  const other = await createRun();
  await until(() => sink.documents.has(documentOf(other.runId)));

  expect(Date.now() - startMs).toBeLessThan(900);
});

test('a sink that works again after a restart is no longer said to fail', async () => {
  const { storage, sink, createRun, startProjector } = await openProjectionRig();
  const { projections } = storage;
  sink.refuses = () => true;
  await createRun();
  const first = startProjector();
  await until(async () => (await projections.readHealth()).failures > 0);
  await first.stop();
  sink.refuses = () => false;

  startProjector();
  await until(() => sink.documents.size === 1);

  await until(async () => (await projections.readHealth()).failures === 0);
  expect(await projections.readHealth()).toMatchObject({ failures: 0, error: undefined });
});
