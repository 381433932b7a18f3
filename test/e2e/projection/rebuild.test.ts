import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, openClawRoot, runIdIn } from '../cli/claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
  await root.inline(['init']);
});

afterEach(() => root.dispose());

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await root.inline([...args, '--output-format', 'json']);
  return { code, stderr, document: JSON.parse(stdout) as Record<string, unknown> };
};

async function ask(): Promise<string> {
  const { stdout } = await root.inline(['ask', 'what time is it?', '--output-format', 'json']);
  return runIdIn(stdout);
}

const folder = () => join(root.path, '.openclawssy', 'projection', 'run_summary');

async function readSummary(runId: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder(), `${runId}.json`), 'utf8'));
}

/** Undefined while there is none. */
async function findStatus(runId: string): Promise<unknown> {
  return readSummary(runId).then(
    (summary) => summary['status'],
    () => undefined,
  );
}

test('makes the summaries of all runs again without a server, and one of them by its id', async () => {
  const [first, second] = [await ask(), await ask()];
  await root.inline(['config', 'set', 'projection.sink', 'file']);

  const before = await json('projection', 'status');
  const all = await json('projection', 'rebuild', '--all');
  const files = (await readdir(folder())).toSorted();
  await rm(folder(), { recursive: true });
  const one = await json('projection', 'rebuild', '--run', first);
  const after = await json('projection', 'status');

  expect(before.document['projections']).toMatchObject([
    { projection: 'run_summary', entities: 2, in_sync: 0, lagging: 2, last_projected_at: null },
    { projection: 'codex_worker_summary', entities: 0 },
  ]);
  const nothingWrong = { drifted: 0, failed: 0, complete: true, drifts: [], failures: [] };
  expect([all.code, all.stderr, all.document]).toMatchObject([
    0,
    '',
    { written: 2, ...nothingWrong },
  ]);
  expect(files).toEqual([`${first}.json`, `${second}.json`].toSorted());
  expect([one.code, one.document]).toMatchObject([0, { written: 1, ...nothingWrong }]);
  expect(await readdir(folder())).toEqual([`${first}.json`]);
  expect(await readSummary(first)).toMatchObject({
    document_id: `runtime/run_summary:${first}`,
    status: 'succeeded',
    projection_version: 'convex_summary_v1',
    runtime_source: { entity: 'run', run_id: first },
  });
  expect(after.document).toMatchObject({
    sink: 'file',
    writer: null,
    failures: 0,
    projections: [{ entities: 2, in_sync: 2, lagging: 0, lag_events: 0, ahead: 0 }, {}],
  });
});

test('says what is wrong with a rebuild, and creates nothing', async () => {
  const noSink = await json('projection', 'rebuild', '--all');
  const runId = await ask();
  const stillNoSink = await json('projection', 'rebuild', '--run', runId);
  await root.inline(['config', 'set', 'projection.sink', 'file']);
  const unsaid = await json('projection', 'rebuild');
  const both = await json('projection', 'rebuild', '--all', '--run', runId);
  const absent = await json('projection', 'rebuild', '--run', 'run_absent');
  const text = await root.claw(['projection', 'rebuild', '--worker', 'codexw_absent']);

  expect(noSink.code).toBe(1);
  expect([stillNoSink.code, stillNoSink.document['error']]).toMatchObject([
    1,
    { kind: 'usage', message: 'there is no sink: projection.sink is none' },
  ]);
  for (const { code, document } of [unsaid, both]) {
    expect([code, document['error']]).toMatchObject([
      1,
      { kind: 'parse', message: 'say what to rebuild: one of --run, --worker and --all' },
    ]);
  }
  expect([absent.code, absent.document['error']]).toMatchObject([
    1,
    { kind: 'run_not_found', message: 'run run_absent does not exist' },
  ]);
  expect([text.code, text.stdout]).toEqual([1, '']);
  expect(text.stderr).toContain('worker codexw_absent does not exist');
  expect(await readdir(join(root.path, '.openclawssy'))).not.toContain('projection');
});

test('a server keeps the sink behind the log, and a rebuild beside it agrees', async () => {
  await root.inline(['config', 'set', 'projection.sink', 'file']);
  await root.inline(['config', 'set', 'projection.interval_ms', '10']);
  const earlier = await ask();
  await root.serveInline();
  const later = await ask();

  await expect.poll(() => findStatus(later), { timeout: 20_000 }).toBe('succeeded');
  const rebuilt = await json('projection', 'rebuild', '--all');
  const status = await json('projection', 'status');

  expect(await readSummary(earlier)).toMatchObject({ status: 'succeeded' });
  expect(rebuilt.document).toMatchObject({ written: 2, drifted: 0, failed: 0, complete: true });
  expect(status.document['writer']).toEqual(expect.any(String));
  expect(status.document['projections']).toMatchObject([{ entities: 2, in_sync: 2 }, {}]);
}, 60_000);

test('a server that was killed is followed at once by the next one', async () => {
  await root.inline(['config', 'set', 'projection.sink', 'file']);
  const first = await root.serve();
  const earlier = await ask();
  await expect.poll(() => findStatus(earlier), { timeout: 10_000 }).toBe('succeeded');
  first.child.kill('SIGKILL');
  await first.ended;

  await root.serve();
  const later = await ask();

  await expect.poll(() => findStatus(later), { timeout: 10_000 }).toBe('succeeded');
}, 60_000);

test('shows whom nothing is sent to, when nobody is', async () => {
  const listed = await json('comms', 'suppressions');
  const lifted = await json('comms', 'lift', 'user@example.com');

  expect([listed.code, listed.document]).toMatchObject([
    0,
    { suppressions_count: 0, suppressions: [] },
  ]);
  expect([lifted.code, lifted.document['error']]).toMatchObject([
    1,
    { kind: 'suppression_not_found', message: 'that recipient is not suppressed' },
  ]);
});
