import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPaced } from './paced.ts';

const page = Object.assign(new EventTarget(), { hidden: false });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  page.hidden = false;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function look(isHidden: boolean): void {
  page.hidden = isHidden;
  page.dispatchEvent(new Event('visibilitychange'));
}

test('reads soon at first, and then with a rest however much happens', async () => {
  const read = vi.fn(async () => {});
  const paced = createPaced(read);
  paced.ask();
  await vi.advanceTimersByTimeAsync(300);
  expect(read).toHaveBeenCalledTimes(1);

  for (let ms = 0; ms < 60_000; ms += 50) {
    paced.ask();
    await vi.advanceTimersByTimeAsync(50);
  }

  expect(read.mock.calls.length).toBeGreaterThan(15);
  expect(read.mock.calls.length).toBeLessThan(25);
  paced.stop();
});

test('waits for the reading before, however long it takes', async () => {
  let end = () => {};
  const read = vi.fn(() => new Promise<void>((resolve) => (end = resolve)));
  const paced = createPaced(read);
  paced.ask();
  await vi.advanceTimersByTimeAsync(300);
  paced.ask();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(1);

  end();
  await vi.advanceTimersByTimeAsync(2_800);

  expect(read).toHaveBeenCalledTimes(2);
  paced.stop();
});

test('reads nothing while nobody looks, and catches up once somebody does', async () => {
  const read = vi.fn(async () => {});
  const paced = createPaced(read);
  look(true);
  paced.ask();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).not.toHaveBeenCalled();

  look(false);
  await vi.advanceTimersByTimeAsync(300);

  expect(read).toHaveBeenCalledTimes(1);
  paced.stop();
});

test('a reading that fails is no end', async () => {
  const read = vi.fn(() => Promise.reject(new Error('gone')));
  const paced = createPaced(read);
  paced.ask();
  await vi.advanceTimersByTimeAsync(300);

  paced.ask();
  await vi.advanceTimersByTimeAsync(2_800);

  expect(read).toHaveBeenCalledTimes(2);
  paced.stop();
});

test('once stopped, nothing is read any more', async () => {
  const read = vi.fn(async () => {});
  const paced = createPaced(read);
  paced.ask();
  paced.stop();

  paced.ask();
  look(false);
  await vi.advanceTimersByTimeAsync(60_000);

  expect(read).not.toHaveBeenCalled();
});
