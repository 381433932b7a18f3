import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createGate, settled } from '../../../test/support/pass-time.ts';
import { createWakeupHub } from '../../storage/wakeup-hub.ts';
import { silentLogger } from '../log.ts';
import type { ClaimedRun } from './run-store.ts';
import { createRunner, type RunnerDeps } from './runner.ts';

const toClaimed = (id: string) =>
  ({ run: { id, createdAtMs: 0 }, lease: { id: `lease_${id}` }, resumed: false }) as ClaimedRun;

/** A runner of a queue whose runs end when the test says so. */
function openRunner(given: Partial<RunnerDeps> = {}) {
  const clock = new ManualClock();
  const hub = createWakeupHub(clock.nowMs);
  const waiting: string[] = [];
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  const runner = createRunner({
    clock,
    wakeups: hub.wakeups,
    logger: silentLogger,
    tracer: {
      span: async (_name: string, _fields: object, work: (span: object) => unknown) =>
        work({ set() {} }),
    },
    metrics: { runEnded() {} },
    seal: () => ({}),
    owner: 'server:test',
    leaseMs: 30_000,
    claimsQueue: true,
    maxConcurrent: () => 64,
    runs: {
      async claim() {
        const id = waiting.shift();
        return id === undefined ? undefined : toClaimed(id);
      },
      renew: async () => [],
      release: async () => {},
    },
    async execute({ run }: ClaimedRun) {
      begun.push(run.id);
      const over = createGate<void>();
      ends.set(run.id, () => over.open());
      await over.promise;
      return 'resting';
    },
    ...given,
  } as unknown as RunnerDeps);
  onTestFinished(async () => {
    for (const end of ends.values()) end();
    await runner.stop(0);
  });
  return {
    ...{ runner, clock, waiting, begun },
    end: (id: string) => ends.get(id)?.(),
    wake: () => hub.wake([], true),
    /** A newcomer, if there is a place for one. */
    arrive(id: string): boolean {
      const slot = runner.reserve();
      slot?.start(toClaimed(id));
      return slot !== undefined;
    },
  };
}

test('nobody begins before the runner does, whose tools may not be there yet', async () => {
  const { runner, arrive } = openRunner();

  const before = arrive('early');
  runner.start();
  await settled();

  expect([before, arrive('late')]).toEqual([false, true]);
});

test.each<{ why: string; given: Partial<RunnerDeps> }>([
  {
    why: 'it can not tell what is secret',
    given: { assertReady: () => Promise.reject(new Error('no')) },
  },
  { why: 'nobody may take runs', given: { mayClaim: async () => false } },
])('newcomers wait with the rest while $why', async ({ given }) => {
  const { runner, arrive } = openRunner(given);
  runner.start();
  await settled();

  expect(arrive('newcomer')).toBe(false);
});

test('newcomers wait when they may take runs no more', async () => {
  let mayTake = true;
  const { runner, arrive, wake } = openRunner({ mayClaim: async () => mayTake });
  runner.start();
  await settled();
  const before = arrive('before');
  mayTake = false;
  wake();
  await settled();
  const while_ = arrive('while');
  mayTake = true;
  wake();
  await settled();

  expect([before, while_, arrive('after')]).toEqual([true, false, true]);
});

test('newcomers leave the last places to those who wait', async () => {
  let places = 4;
  const { runner, waiting, begun, arrive, wake } = openRunner({ maxConcurrent: () => places });
  waiting.push('1', '2', '3', '4', '5');
  runner.start();
  await settled();
  expect(begun).toEqual(['1', '2', '3', '4']);

  places = 4 + 8;
  const beside = arrive('few places');
  places = 4 + 9;
  const besideMore = arrive('more places');
  wake();
  await settled();

  expect([beside, besideMore]).toEqual([false, true]);
  expect(begun).toEqual(['1', '2', '3', '4', 'more places', '5']);
});

/** Enough for whatever does not wait for time. */
const TURNS = 5;

test('whoever waits gets a place that became free while the queue was looked at', async () => {
  for (let moments = 0; moments < 40; moments += 1) {
    const { runner, waiting, begun, arrive, end, wake } = openRunner({ maxConcurrent: () => 1 });
    runner.start();
    await settled();
    arrive('newcomer');
    await settled();

    waiting.push('waiting');
    end('newcomer');
    for (let moment = 0; moment < moments; moment += 1) await undefined;
    wake();
    for (let turn = 0; turn < TURNS; turn += 1) await settled();

    expect(begun, `after ${moments} moments`).toEqual(['newcomer', 'waiting']);
  }
});
