import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { passTime } from '../../../test/support/pass-time.ts';
import type { LeaseId, RunId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import type { ActiveRun } from './heartbeat.ts';
import { createOutsideWatch } from './outside-watch.ts';
import { RunControl } from './run-control.ts';

test('tells each run once that somebody wrote to it elsewhere, and asks nobody while none executes', async () => {
  const clock = new ManualClock();
  const asked: (readonly RunId[])[] = [];
  const active = new Map<RunId, ActiveRun>();
  const runs = {
    list: async () => ({ runs: [], next: undefined }),
    async listWrittenTo(ids: readonly RunId[]) {
      asked.push(ids);
      return ids.filter((id) => id === 'run_1');
    },
  };
  const watch = createOutsideWatch({ runs, clock, logger: silentLogger }, active);
  watch.start();
  await passTime(clock, 1_000, 400);
  const [first, second] = [hold(active, 'run_1'), hold(active, 'run_2')];

  await passTime(clock, 800, 400);
  watch.stop();

  expect(asked).toEqual([['run_1', 'run_2'], ['run_2']]);
  expect([first.hasMail, second.hasMail]).toEqual([true, false]);
});

function hold(active: Map<RunId, ActiveRun>, id: string): RunControl {
  const control = new RunControl();
  const runId = id as RunId;
  active.set(runId, { ref: { runId, leaseId: 'l' as LeaseId }, control, renewedAtMs: 0 });
  return control;
}
