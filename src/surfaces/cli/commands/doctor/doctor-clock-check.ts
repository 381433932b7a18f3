import { stat } from 'node:fs/promises';
import type { OwnFile } from '../../../../core/security/judge-files.ts';
import { formatDuration } from '../../print/format.ts';
import type { Verdict } from './doctor-checks.ts';

/** Before there was this program: a machine that forgot the time starts in 1970 or when its board was made. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);
/** File systems round, and a file may be written while we look. */
const FILE_TOLERANCE_MS = 5_000;
/** Leases are counted on the database's clock, jobs are due by ours: more than this shows. */
const DATABASE_TOLERANCE_MS = 2_000;
const FIX = 'set the clock, as with timedatectl set-ntp true';

export interface ClockFacts {
  readonly nowMs: number;
  readonly zone: string;
  /** When the newest of our files was written. */
  readonly newestFileMs: number | undefined;
  readonly databaseAheadMs: number | undefined;
}

export function checkClock(facts: ClockFacts): Verdict {
  const { nowMs, zone, newestFileMs, databaseAheadMs = 0 } = facts;
  const shown = `${new Date(nowMs).toISOString().slice(0, 19)}Z, time zone ${zone}`;
  const behindMs = (newestFileMs ?? nowMs) - nowMs;
  const problem = nowMs < EARLIEST_MS ? 'can not be right' : describe(behindMs, databaseAheadMs);
  if (problem === undefined) return { status: 'ok', summary: shown };
  return { status: 'warn', summary: `${shown}: it ${problem}`, fix: FIX };
}

function describe(behindMs: number, databaseAheadMs: number): string | undefined {
  if (behindMs > FILE_TOLERANCE_MS) {
    return `is ${formatDuration(behindMs)} behind what was written here last`;
  }
  if (Math.abs(databaseAheadMs) <= DATABASE_TOLERANCE_MS) return undefined;
  const amount = formatDuration(Math.abs(databaseAheadMs));
  return `is ${amount} ${databaseAheadMs > 0 ? 'behind' : 'ahead of'} the database`;
}

export async function findNewestMs(files: readonly OwnFile[]): Promise<number | undefined> {
  const times = await Promise.all(
    files.map(({ path }) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      ),
    ),
  );
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
