import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createNoticeLog, MAX_NOTICES_PER_WINDOW, MAX_WAITING, WINDOW_MS } from './notice-log.ts';
import type { WorkerDraft } from './worker.ts';

const notice = (index: number): WorkerDraft => ({ type: 'worker.event', payload: { index } });

function openLog() {
  const clock = new ManualClock();
  const stored: WorkerDraft[] = [];
  const faults: unknown[] = [];
  let fault: Error | undefined;
  const log = createNoticeLog({
    clock,
    async store(drafts) {
      if (fault) throw fault;
      stored.push(...drafts);
    },
    onFault: (thrown) => faults.push(thrown),
  });
  const breakStore = (error: Error | undefined) => {
    fault = error;
  };
  return { clock, stored, faults, log, breakStore };
}

test('stores notices in the order they came', async () => {
  const { log, stored } = openLog();

  for (let index = 0; index < 250; index += 1) log.add(notice(index));
  await log.flush();

  expect(stored).toEqual(Array.from({ length: 250 }, (_, index) => notice(index)));
});

test('leaves out what the store is too slow for, and says how much with the next', async () => {
  const { log, stored } = openLog();
  for (let index = 0; index < MAX_WAITING + 200; index += 1) log.add(notice(index));
  await log.flush();

  log.add(notice(-1));
  await log.flush();

  const kept = stored.length - 2;
  expect(stored.slice(-2)).toEqual([
    { type: 'worker.events_dropped', payload: { count: MAX_WAITING + 200 - kept } },
    notice(-1),
  ]);
});

test('leaves out what comes too fast until the window is over', async () => {
  const { clock, log, stored } = openLog();
  for (let index = 0; index < MAX_NOTICES_PER_WINDOW + 5; index += 1) {
    log.add(notice(index));
    await log.flush();
  }
  const inWindow = stored.length;
  clock.advance(WINDOW_MS);

  log.add(notice(-1));
  await log.flush();

  expect(inWindow).toBe(MAX_NOTICES_PER_WINDOW);
  expect(stored.slice(inWindow)).toEqual([
    { type: 'worker.events_dropped', payload: { count: 5 } },
    notice(-1),
  ]);
});

test('says at the end what was left out', async () => {
  const { log, stored } = openLog();
  for (let index = 0; index < MAX_WAITING + 200; index += 1) log.add(notice(index));

  await log.finish();

  expect(stored.at(-1)?.type).toBe('worker.events_dropped');
});

test('goes on after a store that failed', async () => {
  const { log, stored, faults, breakStore } = openLog();
  const fault = new Error('disk full');
  breakStore(fault);
  log.add(notice(1));
  await log.flush();
  breakStore(undefined);

  log.add(notice(2));
  await log.flush();

  expect(faults).toEqual([fault]);
  expect(stored).toEqual([notice(2)]);
});
