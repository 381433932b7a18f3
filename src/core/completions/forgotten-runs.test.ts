import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { Event, EventType } from '../events/event.ts';
import type { RunId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import type { Run } from '../runs/run.ts';
import { createForgottenRuns } from './forgotten-runs.ts';

const DAY_MS = 24 * 60 * 60_000;

function openSweep(run: Partial<Run>, lastType: EventType = 'tool.call') {
  const clock = new ManualClock();
  const cancelled: RunId[] = [];
  const waiting = { id: 'run_1', source: 'openai', lastSeq: 5, updatedAtMs: clock.nowMs(), ...run };
  const forgotten = createForgottenRuns({
    runs: {
      list: async () => ({ runs: [waiting as Run], next: undefined }),
      async cancel({ runId }) {
        cancelled.push(runId);
        return { run: waiting as Run, recorded: true };
      },
    },
    events: { read: async () => [{ type: lastType } as Event] },
    clock,
    logger: silentLogger,
  });
  return { forgotten, clock, cancelled };
}

test('cancels a run whose caller has not come back for a day', async () => {
  const { forgotten, clock, cancelled } = openSweep({});

  await clock.advance(DAY_MS - 1);
  const early = await forgotten.sweep();
  await clock.advance(1);
  const late = await forgotten.sweep();

  expect([early, late]).toEqual([0, 1]);
  expect(cancelled).toEqual(['run_1']);
});

test('looks by itself, every hour, until it is stopped', async () => {
  const { forgotten, clock, cancelled } = openSweep({});

  forgotten.start();
  await clock.advance(DAY_MS);
  await expect.poll(() => cancelled.length).toBeGreaterThan(0);
  await forgotten.stop();

  expect(clock.pendingTimers).toBe(0);
});

test.each<[string, Partial<Run>, EventType]>([
  ['of a thread', { source: 'internal' }, 'tool.call'],
  ['that waits for an approval', {}, 'policy.decision'],
])('leaves a run alone %s', async (_, run, lastType) => {
  const { forgotten, clock, cancelled } = openSweep(run, lastType);

  await clock.advance(DAY_MS);
  await forgotten.sweep();

  expect(cancelled).toEqual([]);
});
