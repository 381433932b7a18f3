import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { RuntimeError } from '../errors.ts';
import { silentLogger } from '../log.ts';
import type { MinuteCount } from './counts.ts';
import { createTally } from './tally.ts';

const MINUTE_MS = 60_000;

function openTally() {
  const clock = new ManualClock(Date.parse('2026-02-15T10:00:30.000Z'));
  const saved: MinuteCount[][] = [];
  const fate = { isDown: false };
  const store = {
    async save(counts: readonly MinuteCount[]) {
      if (fate.isDown) throw new RuntimeError('storage_unavailable', 'the store is away');
      saved.push([...counts]);
    },
  };
  const tally = createTally({ store, clock, logger: silentLogger, node: 'node-1' });
  return { clock, saved, fate, tally };
}

const MINUTE = Date.parse('2026-02-15T10:00:00.000Z');
const denied = (times: number, minuteMs = MINUTE): MinuteCount => ({
  minuteMs,
  node: 'node-1',
  kind: 'security_event',
  key: 'auth_denied',
  times,
});

test('writes behind, what changed and the whole of its minute', async () => {
  const { clock, saved, tally } = openTally();
  tally.count('security_event', 'auth_denied');
  tally.count('security_event', 'auth_denied');
  expect(saved).toEqual([]);

  clock.advance(3_000);
  await tally.flush();
  tally.count('security_event', 'auth_denied');
  tally.count('error_taxonomy', 'auth');
  await tally.flush();

  expect(saved).toEqual([
    [denied(2)],
    [denied(3), { ...denied(1), kind: 'error_taxonomy', key: 'auth' }],
  ]);
});

test('has no timer while there is nothing to write', async () => {
  const { clock, saved, tally } = openTally();
  expect(clock.pendingTimers).toBe(0);

  tally.count('error_taxonomy', 'auth');
  expect(clock.pendingTimers).toBe(1);
  await tally.flush();
  await tally.flush();

  expect([clock.pendingTimers, saved.length]).toEqual([0, 1]);
});

test('keeps what could not be saved and tries again by itself', async () => {
  const { clock, saved, fate, tally } = openTally();
  fate.isDown = true;
  tally.count('security_event', 'auth_denied');
  await expect(tally.flush()).rejects.toThrow('the store is away');
  clock.advance(MINUTE_MS);
  tally.count('security_event', 'auth_denied');

  fate.isDown = false;
  await tally.flush();

  expect(saved).toEqual([[denied(1), denied(1, MINUTE + MINUTE_MS)]]);
});

test('holds no more than a day of what can not be saved', async () => {
  const { clock, saved, fate, tally } = openTally();
  fate.isDown = true;
  for (let minute = 0; minute < 1500; minute += 1) {
    tally.count('security_event', 'auth_denied');
    clock.advance(MINUTE_MS);
  }

  fate.isDown = false;
  await tally.flush();

  expect(saved.flat().length).toBeLessThanOrEqual(1441);
});

test('writes what is left when it stops, and starts nothing after that', async () => {
  const { clock, saved, fate, tally } = openTally();
  tally.count('security_event', 'auth_denied');

  await tally.stop();
  fate.isDown = true;
  tally.count('security_event', 'auth_denied');

  expect([saved, clock.pendingTimers]).toEqual([[[denied(1)]], 0]);
});
