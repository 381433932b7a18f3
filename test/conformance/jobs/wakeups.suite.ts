import { describe, expect, test } from 'vitest';
import { runTopic } from '../../../src/core/events/event-log.ts';
import type { RunId } from '../../../src/core/ids.ts';
import {
  cancelDrafts,
  claimNewRun,
  createRun,
  delta,
  finishRun,
  type OpenStorage,
  openRig,
  type Rig,
} from '../harness.ts';

/** Generous: it ends a test that would otherwise hang, and is never reached by one that passes. */
const PATIENCE_MS = 10_000;
/** Long enough for a wake-up that should not come, short of every slow poll. */
const QUIET_MS = 100;

export function describeWakeups(engine: string, open: OpenStorage): void {
  describe(`Wakeups on ${engine}`, () => {
    test('wakes a reader that waits for the run', async () => {
      const rig = await openRig(open, { isNew: true });
      const { run, lease } = await claimNewRun(rig.runs);
      const subscription = await subscribeQuietly(rig, run.id);

      const woken = subscription.next({ deadlineMs: rig.clock.nowMs() + PATIENCE_MS });
      await rig.runs.append(lease, [delta('x')]);

      expect(await woken).toBe(true);
      subscription.close();
    });

    test('remembers a wake-up that came while nobody waited', async () => {
      const rig = await openRig(open, { isNew: true });
      const { run, lease } = await claimNewRun(rig.runs);
      const { wakeups } = rig.storage;
      const probe = await subscribeQuietly(rig, run.id);
      const subscription = wakeups.subscribe(runTopic(run.id));
      const probed = probe.next({ deadlineMs: rig.clock.nowMs() + PATIENCE_MS });
      await rig.runs.append(lease, [delta('x')]);
      await probed;

      const woken = await subscription.next({ deadlineMs: rig.clock.nowMs() + QUIET_MS });

      expect(woken).toBe(true);
      probe.close();
      subscription.close();
    });

    test('wakes every subscriber of the run', async () => {
      const rig = await openRig(open, { isNew: true });
      const { run, lease } = await claimNewRun(rig.runs);
      const subscriptions = Array.from({ length: 50 }, () =>
        rig.storage.wakeups.subscribe(runTopic(run.id)),
      );

      const woken = subscriptions.map((subscription) =>
        subscription.next({ deadlineMs: rig.clock.nowMs() + PATIENCE_MS }),
      );
      await finishRun(rig.runs, lease);

      expect(await Promise.all(woken)).toEqual(Array(50).fill(true));
      for (const subscription of subscriptions) subscription.close();
    });

    test('wakes readers by a claim, a cancel and an end', async () => {
      const rig = await openRig(open, { isNew: true });
      const run = await createRun(rig.runs);
      const subscription = await subscribeQuietly(rig, run.id);

      const woken = subscription.next({ deadlineMs: rig.clock.nowMs() + PATIENCE_MS });
      await rig.runs.requestCancel(run.id, cancelDrafts());

      expect(await woken).toBe(true);
      subscription.close();
    });

    test('wakes runners when a run is queued or released', async () => {
      const { runs, storage, clock } = await openRig(open, { isNew: true });
      const subscription = storage.wakeups.subscribe('queue');

      const queued = subscription.next({ deadlineMs: clock.nowMs() + PATIENCE_MS });
      const { lease } = await claimNewRun(runs);
      expect(await queued).toBe(true);
      while (await subscription.next({ deadlineMs: clock.nowMs() + QUIET_MS }));

      const released = subscription.next({ deadlineMs: clock.nowMs() + PATIENCE_MS });
      await runs.release([lease]);
      expect(await released).toBe(true);
      subscription.close();
    });

    test('wakes a reader in another process', async () => {
      const { runs, clock, openBeside } = await openRig(open, { isNew: true });
      const beside = await openBeside();
      const { run, lease } = await claimNewRun(runs);
      const subscription = beside.wakeups.subscribe(runTopic(run.id));

      const woken = subscription.next({ deadlineMs: clock.nowMs() + PATIENCE_MS });
      await runs.append(lease, [delta('x')]);

      expect(await woken).toBe(true);
      subscription.close();
    });

    test('answers false when the deadline passes, at once when it has passed', async () => {
      const { storage, clock } = await openRig(open, { isNew: true });
      const subscription = storage.wakeups.subscribe('run:run_quiet');

      expect(await subscription.next({ deadlineMs: clock.nowMs() + 20 })).toBe(false);
      expect(await subscription.next({ deadlineMs: clock.nowMs() })).toBe(false);
      expect(await subscription.next({ deadlineMs: clock.nowMs() - 1_000 })).toBe(false);
      subscription.close();
    });

    test('answers false when the signal aborts, also when it has aborted before', async () => {
      const { storage } = await openRig(open, { isNew: true });
      const subscription = storage.wakeups.subscribe('run:run_quiet');
      const controller = new AbortController();

      const waiting = subscription.next({ signal: controller.signal });
      controller.abort();

      expect(await waiting).toBe(false);
      expect(await subscription.next({ signal: controller.signal })).toBe(false);
      subscription.close();
    });

    test('ends a wait when its subscription is closed', async () => {
      const { storage } = await openRig(open, { isNew: true });
      const subscription = storage.wakeups.subscribe('queue');

      const waiting = subscription.next({});
      subscription.close();
      subscription.close();

      expect(await waiting).toBe(false);
      expect(await subscription.next({})).toBe(false);
    });

    test('ends every wait when the storage closes', async () => {
      const { storage } = await openRig(open, { isNew: true });
      const subscription = storage.wakeups.subscribe('queue');

      const waiting = subscription.next({});
      await storage.close();

      expect(await waiting).toBe(false);
    });

    test('tells watchers which runs got events, until they stop watching', async () => {
      const { storage, runs } = await openRig(open, { isNew: true });
      const seen = new Set<RunId>();
      let onSeen = () => {};
      const unwatch = storage.wakeups.watchRuns((runId) => {
        seen.add(runId);
        onSeen();
      });

      const first = await claimNewRun(runs);
      await waitFor(() => seen.has(first.run.id));
      unwatch();
      const second = await claimNewRun(runs);
      const subscription = storage.wakeups.subscribe(runTopic(second.run.id));
      await runs.append(second.lease, [delta('x')]);
      await subscription.next({});

      expect([...seen]).toEqual([first.run.id]);
      subscription.close();

      function waitFor(condition: () => boolean): Promise<void> {
        return new Promise((resolve) => {
          onSeen = () => condition() && resolve();
          onSeen();
        });
      }
    });

    test('answers a health check', async () => {
      const { storage } = await openRig(open, { isNew: true });

      await expect(storage.ping()).resolves.toBeUndefined();
    });

    test('refuses everything after close, and closes twice without complaint', async () => {
      const { storage, runs, events } = await openRig(open, { isNew: true });
      const run = await createRun(runs);

      await storage.close();
      await storage.close();

      const refused = { name: 'RuntimeError', code: 'storage_unavailable' };
      await expect(storage.ping()).rejects.toMatchObject(refused);
      await expect(runs.find(run.id)).rejects.toMatchObject(refused);
      await expect(events.read(run.id, { after: 0, limit: 1 })).rejects.toMatchObject(refused);
      await expect(createRun(runs)).rejects.toMatchObject(refused);
    });
  });
}

/** A subscription after the news of what the test has set up, which may still be under way, has passed. */
async function subscribeQuietly({ storage, clock }: Rig, runId: RunId) {
  const subscription = storage.wakeups.subscribe(runTopic(runId));
  while (await subscription.next({ deadlineMs: clock.nowMs() + QUIET_MS }));
  return subscription;
}
