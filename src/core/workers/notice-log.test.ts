import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import {
  createNoticeLog,
  MAX_CHARS_PER_WINDOW,
  MAX_NOTICES_PER_WINDOW,
  MAX_WAITING,
  MAX_WAITING_CHARS,
  WINDOW_MS,
} from './notice-log.ts';
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

const MEBIBYTE = 1024 * 1024;
/** Its payload is as many characters of JSON. */
const large = (chars: number): WorkerDraft => ({
  type: 'worker.event',
  payload: { text: 'x'.repeat(chars - '{"text":""}'.length) },
});

test('holds a bounded amount for a store that is too slow, however few notices that are', async () => {
  const { log, stored } = openLog();
  const count = MAX_WAITING_CHARS / MEBIBYTE;

  for (let index = 0; index < count + 3; index += 1) log.add(large(MEBIBYTE));
  await log.finish();
  log.add(large(MEBIBYTE));
  await log.finish();

  const types = stored.map(({ type }) => type);
  const dropped = { type: 'worker.events_dropped', payload: { count: 3 } };
  expect(types).toEqual([
    ...Array.from({ length: count }, () => 'worker.event'),
    'worker.events_dropped',
    'worker.event',
  ]);
  expect(stored[count]).toEqual(dropped);
});

test('leaves out large notices until the window is over, and takes small ones that have room', async () => {
  const { clock, log, stored } = openLog();
  const count = MAX_CHARS_PER_WINDOW / MEBIBYTE;
  for (let index = 0; index < count; index += 1) {
    log.add(large(index === 0 ? MEBIBYTE - 100 : MEBIBYTE));
    await log.flush();
  }

  log.add(large(MEBIBYTE));
  log.add(notice(1));
  await log.flush();
  clock.advance(WINDOW_MS);
  log.add(large(MEBIBYTE));
  await log.flush();

  expect(stored.slice(count)).toEqual([
    { type: 'worker.events_dropped', payload: { count: 1 } },
    notice(1),
    large(MEBIBYTE),
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
