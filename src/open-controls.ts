import { assembleCosts, type CostGround } from './assembly/assemble-costs.ts';
import type { Closing } from './closing-list.ts';
import { systemClock } from './core/clock.ts';
import type { Spender } from './core/costs/scope.ts';
import { createKillSwitch } from './core/kill-switch/kill-switch.ts';

/** What stops work: the kill switch for all of it, and budgets for what costs too much. */
export function openControls(ground: CostGround & { readonly closing: Closing }) {
  const { storage, logger, redactor, closing } = ground;
  const killSwitch = createKillSwitch({
    ...{ store: storage.killSwitch, clock: systemClock, logger, redactor },
  });
  closing.add(async () => killSwitch.stop());
  killSwitch.start();
  const { costs, spending, assertAffordable } = assembleCosts(ground);
  return {
    killSwitch,
    costs,
    spending,
    assertAffordable,
    async assertMaySubmit(work: Spender & { readonly message?: string }): Promise<void> {
      await killSwitch.assertOff();
      await assertAffordable(work);
    },
  };
}

export type Controls = ReturnType<typeof openControls>;
