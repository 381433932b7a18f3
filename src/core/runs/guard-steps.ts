import { RuntimeError, toRuntimeError } from '../errors.ts';
import { isStopped, type SwitchWatch } from '../kill-switch/kill-switch.ts';
import type { StepGuard } from '../loop/step-guard.ts';
import type { Secrets } from '../secrets/secrets.ts';

export interface GuardStepsDeps {
  readonly killSwitch: Pick<SwitchWatch, 'assertOff' | 'whileOff'>;
  readonly secrets: Pick<Secrets, 'refresh'> | undefined;
}

/**
 * Steps are not begun while the kill switch is on. The run is given up as it is and goes on when the switch is off
 * again. A model that is answering is interrupted, and asked again then; a tool that was called may have had its
 * effect, so it comes to its end and its result is put on record.
 *
 * They begin and end with a look at what other nodes stored as secrets: nothing that a run brings in is put on record by
 * a node that does not know what to strike from it. When that can't be told the run is given up too, for a node that can.
 */
export function guardSteps(deps: GuardStepsDeps, control: AbortController): StepGuard {
  async function orGiveUp(look: Promise<void>): Promise<void> {
    try {
      await look;
    } catch (thrown) {
      const error = toRuntimeError(thrown);
      control.abort(error);
      throw error;
    }
  }

  async function pass(): Promise<void> {
    if (deps.secrets) await orGiveUp(deps.secrets.refresh());
    await orGiveUp(deps.killSwitch.assertOff());
  }

  return {
    async askModel() {
      await pass();
      return deps.killSwitch.whileOff((stopped) => control.abort(stopped));
    },

    callTool: pass,

    async calledTool({ outcome }) {
      // Turned before its handler was reached, or between two tries: the call is still to be made.
      if (!outcome.ok && isStopped({ details: outcome.error.details })) {
        control.abort(new RuntimeError(outcome.error.code, outcome.error.message));
      }
      if (deps.secrets) await orGiveUp(deps.secrets.refresh());
    },
  };
}
