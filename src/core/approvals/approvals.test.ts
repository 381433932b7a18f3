import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { silentLogger } from '../log.ts';
import type { ApprovalStore } from './approval.ts';
import { createApprovals } from './approvals.ts';

test('stopped while it looks for expired questions, it does not look again', async () => {
  const clock = new ManualClock();
  let looks = 0;
  let answer = (_overdue: []) => {};
  const store = {
    listOverdue() {
      looks += 1;
      return new Promise<[]>((resolve) => {
        answer = resolve;
      });
    },
  } as unknown as ApprovalStore;
  const seal = () => {
    throw new Error('nothing to seal');
  };
  const approvals = createApprovals({ store, seal, clock, logger: silentLogger });
  approvals.start();
  clock.advance(5_000);
  expect(looks).toBe(1);

  approvals.stop();
  answer([]);
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(60_000);

  expect(looks).toBe(1);
});
