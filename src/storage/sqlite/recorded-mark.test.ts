import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claimNewRun, finishRun } from '../../../test/conformance/harness.ts';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { silentLogger } from '../../core/log.ts';
import type { RunStore } from '../../core/runs/run-store.ts';
import { openSqliteStorage } from './open-sqlite-storage.ts';
import { forgetRecordsAfter, readRecordedMark } from './recorded-mark.ts';

async function endRun(runs: RunStore) {
  const { run, lease } = await claimNewRun(runs);
  await finishRun(runs, lease);
  const { lastSeq = 0 } = (await runs.find(run.id)) ?? {};
  const record = () => runs.markRecorded([{ runId: run.id, auditedSeq: lastSeq, bundled: true }]);
  return { id: run.id, record };
}

test('what was recorded after the mark is to be recorded again, and nothing else', async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'pincer.db');
  const open = () => openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  const first = await open();
  const before = await endRun(first.runs);
  await before.record();
  const between = await endRun(first.runs);

  const mark = readRecordedMark(file);
  await between.record();
  const after = await endRun(first.runs);
  await after.record();
  expect(await first.runs.listUnrecorded(10)).toEqual([]);
  await first.close();
  forgetRecordsAfter(file, mark);

  const copy = await open();
  onTestFinished(() => copy.close());
  const left = await copy.runs.listUnrecorded(10);
  expect(left.map(({ run, auditedSeq, bundled }) => [run.id, auditedSeq, bundled])).toEqual([
    [between.id, 0, false],
    [after.id, 0, false],
  ]);
});
