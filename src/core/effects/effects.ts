import { RuntimeError } from '../errors.ts';
import type { RequestId } from '../ids.ts';
import type { Effect, EffectFilter, EffectPage, EffectResolution, EffectStore } from './effect.ts';

/** The effect ledger, for those who only look. */
export interface EffectReader {
  list(filter: EffectFilter): Promise<EffectPage>;
  /** Throws `not_found`. */
  get(id: RequestId): Promise<Effect>;
}

/** What every surface may do with the effect ledger. */
export interface Effects extends EffectReader {
  /** A person's word on an effect nobody knows the outcome of. Throws `conflict` when it is known. */
  resolve(id: RequestId, resolution: Omit<EffectResolution, 'atMs'>): Promise<Effect>;
}

export function createEffectReader(store: Pick<EffectStore, 'find' | 'list'>): EffectReader {
  return {
    list: (filter) => store.list(filter),

    async get(id) {
      const effect = await store.find(id);
      if (effect) return effect;
      throw new RuntimeError('not_found', `effect ${id} does not exist`, {
        details: { thing: 'effect' },
      });
    },
  };
}

export function createEffects(store: EffectStore): Effects {
  const reader = createEffectReader(store);
  return {
    ...reader,

    async resolve(id, resolution) {
      await reader.get(id);
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
