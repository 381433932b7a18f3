import { RuntimeError } from '../errors.ts';
import { isStopped, type SwitchWatch } from '../kill-switch/kill-switch.ts';
import type { Model } from '../loop/model.ts';
import type { ExecuteDeps } from './execute-run.ts';

/**
 * Steps that are not begun while the kill switch is on. The run is given up as it is and goes on when the switch is off
 * again. A model that is answering is interrupted, and asked again then; a tool that was called may have had its
 * effect, so it comes to its end and its result is put on record.
 */
export function guardSwitch<T extends Pick<ExecuteDeps, 'tools' | 'models'>>(
  deps: T,
  killSwitch: Pick<SwitchWatch, 'assertOff' | 'whileOff'>,
  control: AbortController,
): T {
  async function pass(): Promise<void> {
    try {
      await killSwitch.assertOff();
    } catch (thrown) {
      control.abort(thrown);
      throw thrown;
    }
  }

  function guardModel(model: Model): Model {
    return {
      ...model,
      async *stream(request, signal) {
        await pass();
        const interrupt = (stopped: RuntimeError) => control.abort(stopped);
        const release = killSwitch.whileOff(interrupt);
        try {
          yield* model.stream(request, signal);
        } finally {
          release();
        }
      },
    };
  }

  return {
    ...deps,
    tools: {
      ...deps.tools,
      async execute(call, circumstances) {
        await pass();
        const finished = await deps.tools.execute(call, circumstances);
        // Turned before its handler was reached, or between two tries: the call is still to be made.
        const fault = finished.outcome.ok ? undefined : finished.outcome.error;
        if (fault && isStopped({ details: fault.details })) {
          control.abort(new RuntimeError(fault.code, fault.message));
        }
        return finished;
      },
    },
    models: {
      ...deps.models,
      get: async (reference) => guardModel(await deps.models.get(reference)),
    },
  };
}
