import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { openSqliteStorage } from '../../storage/sqlite/open-sqlite-storage.ts';
import { createIds } from '../create-ids.ts';
import { createSeal } from '../events/seal.ts';
import { DEFAULT_AGENT_ID } from '../ids.ts';
import { silentLogger } from '../log.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { watchRun } from './watch-run.ts';

const ids = createIds(() => Date.now());
const seal = createSeal({ ids, redactor: createRedactor() });

/** A run that somebody executes, so that a wish to cancel does not end it at once. */
async function openRun() {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(() => storage.close());
  const run = { id: ids.run(), agentId: DEFAULT_AGENT_ID, source: 'test', message: 'hi' };
  const created = seal({ type: 'run.created', payload: {} });
  const started = seal({ type: 'run.started', payload: {} });
  const lease = { owner: 'test', leaseMs: 60_000, started };
  await storage.runs.create(run, [created], { maxQueued: 10, lease });
  const cancel = () =>
    storage.runs.requestCancel(run.id, {
      requested: seal({ type: 'run.cancel_requested', payload: {} }),
      cancelled: seal({ type: 'run.cancelled', payload: {} }),
    });
  return { storage, runId: run.id, cancel };
}

const reasonOf = ({ reason }: AbortSignal) => ({ code: reason.code, message: reason.message });

test('says that a run is being cancelled, when that happens and when it has happened', async () => {
  const { storage, runId, cancel } = await openRun();
  const early = await watchRun(storage, runId);
  onTestFinished(early.close);

  expect(early.signal.aborted).toBe(false);
  await cancel();
  await expect.poll(() => early.signal.aborted).toBe(true);
  const late = await watchRun(storage, runId);
  late.close();

  const reason = { code: 'cancelled', message: `run ${runId} is being cancelled` };
  expect([early.signal, late.signal].map(reasonOf)).toEqual([reason, reason]);
});

test('says nothing about a run after it is closed, nor without one', async () => {
  const { storage, runId, cancel } = await openRun();
  const closed = await watchRun(storage, runId);
  const none = await watchRun(storage, undefined);

  closed.close();
  const still = await watchRun(storage, runId);
  onTestFinished(still.close);
  await cancel();
  await expect.poll(() => still.signal.aborted).toBe(true);

  expect([closed.signal.aborted, none.signal.aborted]).toEqual([false, false]);
});
