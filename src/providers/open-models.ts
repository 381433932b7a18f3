import { type Clock, systemClock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import type { Model, Models } from '../core/loop/model.ts';
import { createDefaultModel } from './default-model.ts';
import {
  formatModelReference,
  type ModelReference,
  parseModelReference,
} from './model-reference.ts';
import type { ModelsConfig } from './models-config.ts';

export interface ModelCatalogue extends Models {
  /** Provider and name without loading the provider; an unset reference is resolved as a run's would be. */
  describe(reference?: string): Promise<ModelReference>;
}

/** References kept ready. More than anybody configures; a caller that invents names must not grow memory. */
const MAX_CACHED_MODELS = 64;

/** The models that the configuration can reach. Importing this costs nothing: each provider is loaded at first use. */
export function createModels(config: ModelsConfig, clock: Clock = systemClock): ModelCatalogue {
  const models = new Map<string, Promise<Model>>();
  const defaultModel = createDefaultModel(config, clock);

  async function describe(reference?: string): Promise<ModelReference> {
    return reference ? parseModelReference(reference) : defaultModel.find();
  }

  function getCached(reference: ModelReference): Promise<Model> {
    const key = formatModelReference(reference);
    const known = models.get(key);
    if (known) return known;
    const model = loadModel(reference, config, clock);
    const [oldest] = models.keys();
    if (models.size >= MAX_CACHED_MODELS && oldest !== undefined) models.delete(oldest);
    models.set(key, model);
    // A failure is not remembered: a script may appear, a module load may succeed later.
    model.catch(() => models.delete(key));
    return model;
  }

  return {
    describe,
    get: async (reference) => getCached(await describe(reference)),
  };
}

async function loadModel(
  reference: ModelReference,
  config: ModelsConfig,
  clock: Clock,
): Promise<Model> {
  const { provider, name } = reference;
  switch (provider) {
    case 'offline': {
      if (name !== 'rules') {
        throw new RuntimeError(
          'provider_misconfigured',
          `there is no offline model ${JSON.stringify(name.slice(0, 80))}: set CLAW_MODEL to offline/rules`,
        );
      }
      const { createOfflineModel } = await import('./offline/offline-model.ts');
      return createOfflineModel();
    }
    case 'scripted': {
      if (config.allowScripted !== true) {
        throw new RuntimeError(
          'provider_misconfigured',
          'scripted models are for tests: set CLAW_MODEL to a real one',
        );
      }
      const { loadScript } = await import('./scripted/load-script.ts');
      const { createScriptedModel } = await import('./scripted/scripted-model.ts');
      return createScriptedModel(await loadScript(name, config.rootDir ?? '.'), { name, clock });
    }
    default: {
      const { createSdkModel } = await import('./sdk-models.ts');
      return createSdkModel({ provider, name }, config, clock);
    }
  }
}
