import { expect, test } from 'vitest';
import {
  draft,
  openProjectionRig,
  type ProjectionRig,
} from '../../../test/projection/projection-rig.ts';
import { systemClock } from '../clock.ts';
import { projectEntity } from './project-entity.ts';
import { readProjectionStatus } from './read-projection-status.ts';
import { rebuildProjection } from './rebuild-projection.ts';

const documentOf = (runId: string) => `runtime/run_summary:${runId}`;

async function openRebuild() {
  const rig = await openProjectionRig();
  const { storage, sink, sources } = rig;
  const deps = { store: storage.projections, sink, sources, clock: systemClock };
  const project = (id: string) => {
    const [source] = sources;
    if (!source) throw new Error('there are sources');
    return projectEntity(deps, { source, id });
  };
  const status = async () =>
    (await readProjectionStatus({ sources, store: storage.projections })).projections[0];
  return { ...rig, deps, project, status };
}

/** As if somebody had changed what was written, or the code that wrote it. */
async function tamper({ storage }: ProjectionRig, id: string, change: object): Promise<void> {
  const entity = { projection: 'run_summary', id } as const;
  const found = await storage.projections.find(entity);
  if (!found) throw new Error(`${id} was not projected`);
  const { revision, ...checkpoint } = found;
  await storage.projections.put({ ...checkpoint, ...change }, revision);
}

test('makes everything again from the log and finds no drift in what is right', async () => {
  const { sink, deps, project, createRun, finishRun, attachWorker, storage } = await openRebuild();
  const [ended, open] = [await createRun(), await createRun()];
  await project(ended.runId);
  await finishRun(ended);
  await storage.runs.append(open, [draft('model.completed', { usage: { input_tokens: 3 } })]);
  await project(open.runId);
  await attachWorker('codexw_1');
  const before = new Map(sink.documents);
  sink.documents.clear();

  const report = await rebuildProjection(deps, 'everything');

  expect(report).toEqual({
    written: 3,
    drifted: 0,
    failed: 0,
    drifts: [],
    failures: [],
    isComplete: true,
  });
  const { projected_at: _, ...again } = sink.documents.get(documentOf(open.runId)) ?? {};
  expect(before.get(documentOf(open.runId))).toMatchObject(again);
  expect(sink.documents.get(documentOf(ended.runId))).toMatchObject({ status: 'succeeded' });
});

test('reports a summary that does not fit the log, and what was projected beyond its end', async () => {
  const rig = await openRebuild();
  const { deps, project, createRun, status, sink } = rig;
  const [altered, ahead, outdated] = [await createRun(), await createRun(), await createRun()];
  for (const { runId } of [altered, ahead, outdated]) await project(runId);
  await tamper(rig, altered.runId, { summaryHash: 'other' });
  await tamper(rig, ahead.runId, { seq: 9 });
  await tamper(rig, outdated.runId, { version: 'convex_summary_v0' });
  const before = await status();

  const skipped = await project(ahead.runId);
  const report = await rebuildProjection(deps, 'everything');

  expect(before).toMatchObject({ entities: 3, inSync: 1, lagging: 1, ahead: 1, lagEvents: 0 });
  expect(skipped).toEqual({ outcome: 'skipped', drift: 'checkpoint_ahead' });
  expect(report).toMatchObject({ written: 3, drifted: 3, failed: 0 });
  expect(new Map(report.drifts.map(({ documentId, drift }) => [documentId, drift]))).toEqual(
    new Map([
      [documentOf(altered.runId), 'summary_hash_mismatch'],
      [documentOf(ahead.runId), 'checkpoint_ahead'],
      [documentOf(outdated.runId), 'projection_version_changed'],
    ]),
  );
  expect(await status()).toMatchObject({ entities: 3, inSync: 3, lagging: 0, ahead: 0 });
  expect(sink.documents.get(documentOf(ahead.runId))?.['latest_seq']).toBe(2);
});

test('a summary that is right already is not written again', async () => {
  const { project, createRun, sink } = await openRebuild();
  const { runId } = await createRun();

  const outcomes = [await project(runId), await project(runId), await project('run_absent')];

  expect(outcomes).toEqual([
    { outcome: 'written', drift: undefined },
    { outcome: 'skipped', drift: undefined },
    { outcome: 'missing' },
  ]);
  expect(sink.written).toHaveLength(1);
});

test('rebuilds one run, and says when there is none', async () => {
  const { deps, createRun, sink } = await openRebuild();
  const { runId } = await createRun();
  await createRun();

  const report = await rebuildProjection(deps, { projection: 'run_summary', id: runId });
  const absent = rebuildProjection(deps, { projection: 'codex_worker_summary', id: 'codexw_9' });

  expect(report).toMatchObject({ written: 1, drifted: 0, isComplete: true });
  expect([...sink.documents.keys()]).toEqual([documentOf(runId)]);
  await expect(absent).rejects.toMatchObject({ code: 'not_found' });
});

test('gives up on a sink that takes nothing', async () => {
  const { deps, createRun, sink } = await openRebuild();
  for (let count = 0; count < 5; count += 1) await createRun();
  sink.refuses = () => true;

  const report = await rebuildProjection(deps, 'everything');

  expect(report).toMatchObject({ written: 0, failed: 3, isComplete: false });
  expect(report.failures).toHaveLength(3);
});

test('the newest wins when somebody else writes the same document meanwhile', async () => {
  const { storage, sink, project, createRun } = await openRebuild();
  const lease = await createRun();
  let hasWaited = false;
  sink.delay = async () => {
    if (hasWaited) return;
    hasWaited = true;
    // The other one reads, writes and notes more events, while ours is on its way.
    await storage.runs.append(lease, [draft('model.delta', { text: 'a' })]);
    await project(lease.runId);
  };

  await project(lease.runId);

  expect(sink.written.map(({ summary }) => summary['latest_seq'])).toEqual([3, 2, 3]);
  expect(sink.documents.get(documentOf(lease.runId))?.['latest_seq']).toBe(3);
});

test('tells the same of a run whose old events are gone, with a checkpoint and without', async () => {
  const { storage, sink, sources, deps, project, createRun, finishRun } = await openRebuild();
  const [known, unknown] = [await createRun(), await createRun()];
  for (const lease of [known, unknown]) {
    await storage.runs.append(lease, [draft('model.delta', { text: 'a' })]);
    await finishRun(lease);
    await storage.runs.markRecorded([{ runId: lease.runId, auditedSeq: 4, bundled: true }]);
  }
  await project(known.runId);
  const [source] = sources;
  const whole = await (await source?.find(unknown.runId))?.fold(undefined, 4);
  const cuts = [known, unknown].map(({ runId }) => ({ runId, through: 3 }));
  const deleted = await storage.retention.prune(cuts);

  const report = await rebuildProjection(deps, 'everything');

  expect(deleted).toBe(6);
  expect(report).toMatchObject({ written: 2, drifted: 0, failed: 0 });
  const { projected_at: _, ...summary } = sink.documents.get(documentOf(unknown.runId)) ?? {};
  expect(summary).toEqual(whole?.summary);
});
