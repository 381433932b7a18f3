import { toRuntimeError } from '../errors.ts';
import type { Model } from '../loop/model.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ExecuteDeps } from './execute-run.ts';

/**
 * Steps that begin and end with a look at what other nodes stored: nothing that a run brings in is put on record by a
 * node that does not know what to strike from it. When that can't be told the run is given up as it is, for a node
 * that can.
 */
export function guardSecrets<T extends Pick<ExecuteDeps, 'tools' | 'models'>>(
  deps: T,
  secrets: Pick<Secrets, 'refresh'>,
  control: AbortController,
): T {
  async function look(): Promise<void> {
    try {
      await secrets.refresh();
    } catch (thrown) {
      const error = toRuntimeError(thrown);
      control.abort(error);
      throw error;
    }
  }

  function guardModel(model: Model): Model {
    return {
      ...model,
      async *stream(request, signal) {
        await look();
        yield* model.stream(request, signal);
      },
    };
  }

  return {
    ...deps,
    tools: {
      ...deps.tools,
      async execute(call, circumstances) {
        await look();
        const finished = await deps.tools.execute(call, circumstances);
        await look();
        return finished;
      },
    },
    models: {
      ...deps.models,
      get: async (reference) => guardModel(await deps.models.get(reference)),
    },
  };
}
