import { expect, test } from 'vitest';
import { checkClock } from './doctor-clock-check.ts';

const NOW_MS = Date.UTC(2026, 6, 1, 12, 0, 0);
const RIGHT = {
  nowMs: NOW_MS,
  zone: 'Europe/Madrid',
  newestFileMs: NOW_MS + 4_000,
  databaseAheadMs: -1_900,
};
const SHOWN = '2026-07-01T12:00:00Z, time zone Europe/Madrid';
const FIX = 'set the clock, as with timedatectl set-ntp true';

test('a clock is right until files or the database say otherwise', () => {
  expect(checkClock(RIGHT)).toEqual({ status: 'ok', summary: SHOWN });
  expect(checkClock({ ...RIGHT, newestFileMs: undefined, databaseAheadMs: undefined })).toEqual({
    status: 'ok',
    summary: SHOWN,
  });
  expect(checkClock({ ...RIGHT, newestFileMs: NOW_MS + 90_000 })).toEqual({
    status: 'warn',
    summary: `${SHOWN}: it is 1 min 30 s behind what was written here last`,
    fix: FIX,
  });
  expect(checkClock({ ...RIGHT, databaseAheadMs: 2_500 }).summary).toBe(
    `${SHOWN}: it is 2.5 s behind the database`,
  );
  expect(checkClock({ ...RIGHT, databaseAheadMs: -3_600_000 }).summary).toBe(
    `${SHOWN}: it is 1 h 0 min ahead of the database`,
  );
});

test('a machine that forgot the time is told so', () => {
  expect(checkClock({ ...RIGHT, nowMs: 86_400_000, newestFileMs: undefined })).toEqual({
    status: 'warn',
    summary: '1970-01-02T00:00:00Z, time zone Europe/Madrid: it can not be right',
    fix: FIX,
  });
});
