import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createIds } from '../../src/core/create-ids.ts';
import { createSeal } from '../../src/core/events/seal.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import { createRedactor } from '../../src/core/redact/create-redactor.ts';
import { NO_TOTALS } from '../../src/core/runs/run.ts';
import type { Storage } from '../../src/core/storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { ManualClock } from './manual-clock.ts';
import { openTempRoot } from './temp-root.ts';

const ids = createIds(Date.now);
const seal = createSeal({ ids, redactor: createRedactor() });

export interface TestLog {
  readonly storage: Storage;
  /** The store's. */
  readonly clock: ManualClock;
}

/** Storage for tests of the core; gone when the test ends. */
export async function openTestLog(): Promise<TestLog> {
  const root = await openTempRoot();
  const clock = new ManualClock();
  const storage = await openSqliteStorage({
    file: join(root.path, 'pincer.db'),
    clock,
    writer: 'inline',
    logger: silentLogger,
  });
  onTestFinished(async () => {
    await storage.close();
    await root.remove();
  });
  return { storage, clock };
}

/** A run with this many events, or one less while it is open. */
export async function addRun(
  { runs }: Storage,
  length: number,
  state: 'recorded' | 'ended' | 'open' = 'recorded',
): Promise<RunId> {
  const id = ids.run();
  const created = await runs.create(
    { id, agentId: DEFAULT_AGENT_ID, source: 'test', message: 'hello' },
    [seal({ type: 'run.created', payload: {} })],
    {
      maxQueued: 10_000,
      lease: { owner: 'test', leaseMs: 1, started: seal({ type: 'run.started', payload: {} }) },
    },
  );
  if (created.outcome !== 'created' || !created.lease) throw new Error(created.outcome);
  const lease = { runId: id, leaseId: created.lease.id };
  const deltas = Array.from({ length: length - 3 }, () =>
    seal({ type: 'model.delta', payload: { text: 'x' } }),
  );
  await runs.append(lease, deltas);
  if (state === 'open') return id;
  await runs.finish(lease, [seal({ type: 'run.completed', payload: {} })], {
    status: 'completed',
    stopReason: 'completed',
    output: '',
    totals: NO_TOTALS,
  });
  if (state === 'ended') return id;
  await runs.markRecorded([{ runId: id, auditedSeq: length, bundled: true }]);
  return id;
}
