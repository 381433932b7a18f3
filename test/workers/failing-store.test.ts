import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { RuntimeError } from '../../src/core/errors.ts';
import { silentLogger } from '../../src/core/log.ts';
import type { Storage } from '../../src/core/storage.ts';
import type { WorkerStore } from '../../src/core/workers/worker-store.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { ask, attachProgram, createTestWorkers, isAlive, readLog, USER } from './test-workers.ts';

const WAIT = { timeout: 10_000 };

/** Workers on a store that can be made to refuse what is recorded. */
async function openFailing() {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(() => storage.close());
  let isFailing = false;
  const record: WorkerStore['record'] = async (change) => {
    if (isFailing) throw new RuntimeError('storage_unavailable', 'the disk is gone');
    return storage.workers.record(change);
  };
  const failing: Storage = { ...storage, workers: { ...storage.workers, record } };
  const made = createTestWorkers(failing, { stopGraceMs: 50 });
  onTestFinished(made.stop);
  const setFailing = (value: boolean) => {
    isFailing = value;
  };
  return { ...made, storage, setFailing };
}

async function attachStubborn({ workers }: Awaited<ReturnType<typeof openFailing>>) {
  const { id } = await attachProgram(workers, 'stubborn');
  const { response } = await ask(workers, id, { method: 'pid' });
  return { id, pid: response['result'] as number };
}

test('ends a program also while its end can not be recorded, and records it when asked again', async () => {
  const rig = await openFailing();
  const { id, pid } = await attachStubborn(rig);
  rig.setFailing(true);

  const refused = rig.workers.stop({ id, principal: USER }, 'enough');
  await expect(refused).rejects.toMatchObject({ code: 'storage_unavailable' });
  const wasAlive = isAlive(pid);
  rig.setFailing(false);
  const receipt = await rig.workers.stop({ id, principal: USER }, 'enough');

  expect(wasAlive).toBe(false);
  expect(receipt).toMatchObject({ replayed: false, worker: { status: 'stopped' } });
  expect((await readLog(rig.storage, id)).at(-1)).toMatchObject({
    type: 'worker.stopped',
    payload: { reason: 'enough' },
  });
});

test('keeps no lease of a program that died while the store could not be written', async () => {
  const rig = await openFailing();
  const { id, pid } = await attachStubborn(rig);
  rig.setFailing(true);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid), WAIT).toBe(false);
  const isRenewed = async () => {
    const before = await rig.storage.workers.find(id);
    await setTimeout(2);
    await rig.renew();
    const after = await rig.storage.workers.find(id);
    return before?.host?.expiresAtMs !== after?.host?.expiresAtMs;
  };

  await expect.poll(isRenewed, WAIT).toBe(false);
  rig.setFailing(false);
  const refused = ask(rig.workers, id, {});

  await expect(refused).rejects.toMatchObject({ code: 'conflict' });
});
