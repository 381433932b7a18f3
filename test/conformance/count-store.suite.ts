import { describe, expect, test } from 'vitest';
import type { Count, MinuteCount } from '../../src/core/observability/counts.ts';
import { type OpenStorage, openRig } from './harness.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

function byKey(counts: readonly Count[]): Count[] {
  return counts.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

export function describeCountStore(engine: string, open: OpenStorage): void {
  describe(`CountStore on ${engine}`, () => {
    const denied = (minuteMs: number, times: number, node = 'node-1'): MinuteCount => ({
      minuteMs,
      node,
      kind: 'security_event',
      key: 'auth_denied',
      times,
    });

    test('adds up minutes and processes, and keeps the sum over a reopen', async () => {
      const { storage, clock, reopen, openBeside } = await openRig(open);
      const now = clock.nowMs();
      const beside = await openBeside();
      await storage.counts.save([
        denied(now, 2),
        denied(now - MINUTE_MS, 3),
        { ...denied(now, 7), kind: 'error_taxonomy', key: 'auth' },
      ]);
      await beside.counts.save([denied(now, 4, 'node-2')]);

      const { counts } = await reopen();

      expect(byKey(await counts.sum(now - DAY_MS))).toEqual([
        { kind: 'error_taxonomy', key: 'auth', times: 7 },
        { kind: 'security_event', key: 'auth_denied', times: 9 },
      ]);
    });

    test('takes the same minute again in place of what was there', async () => {
      const { storage, clock } = await openRig(open);
      await storage.counts.save([denied(clock.nowMs(), 2)]);

      await storage.counts.save([denied(clock.nowMs(), 5)]);
      await storage.counts.save([denied(clock.nowMs(), 5)]);

      expect(await storage.counts.sum(0)).toMatchObject([{ times: 5 }]);
    });

    test('leaves minutes out that had ended by then', async () => {
      const { storage, clock } = await openRig(open);
      const now = clock.nowMs();
      await storage.counts.save([denied(now - MINUTE_MS, 1), denied(now - 2 * MINUTE_MS, 10)]);

      const sums = [now - MINUTE_MS - 1, now - MINUTE_MS, now - 1, now].map((sinceMs) =>
        storage.counts.sum(sinceMs),
      );

      expect((await Promise.all(sums)).map(([one]) => one?.times)).toEqual([11, 1, 1, undefined]);
    });

    test('drops what is older than a day', async () => {
      const { storage, clock } = await openRig(open);
      await storage.counts.save([denied(clock.nowMs(), 2)]);
      clock.advance(DAY_MS + 2 * MINUTE_MS);

      await storage.counts.save([denied(clock.nowMs(), 1)]);

      expect(await storage.counts.sum(0)).toMatchObject([{ times: 1 }]);
    });
  });
}
