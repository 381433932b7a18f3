import { RuntimeError } from '../errors.ts';
import type { RequestId } from '../ids.ts';
import type { Effect, EffectFilter, EffectPage, EffectResolution, EffectStore } from './effect.ts';

/** What every surface may do with the effect ledger. */
export interface Effects {
  list(filter: EffectFilter): Promise<EffectPage>;
  /** Throws `not_found`. */
  get(id: RequestId): Promise<Effect>;
  /** A person's word on an effect nobody knows the outcome of. Throws `conflict` when it is known. */
  resolve(id: RequestId, resolution: Omit<EffectResolution, 'atMs'>): Promise<Effect>;
}

export function createEffects(store: EffectStore): Effects {
  async function get(id: RequestId): Promise<Effect> {
    const effect = await store.find(id);
    if (effect) return effect;
    throw new RuntimeError('not_found', `effect ${id} does not exist`, {
      details: { thing: 'effect' },
    });
  }

  return {
    list: (filter) => store.list(filter),
    get,

    async resolve(id, resolution) {
      await get(id);
      const result = await store.resolve(id, resolution);
      if (result.outcome === 'resolved') return result.effect;
      const { status } = result.effect;
      throw new RuntimeError(
        'conflict',
        `effect ${id} is ${status}; only an unknown one can be resolved`,
        {
          details: { status },
        },
      );
    },
  };
}
