import { createEffectReader } from '../../../core/effects/effects.ts';
import {
  type EffectReading,
  type EffectWriting,
  getEffect,
} from '../../../operations/effects/effects.ts';
import type { CliContext } from '../program/context.ts';
import { naming } from '../program/errors.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, fromStore, type Place } from './place.ts';

const EFFECTS: Place<EffectReading, EffectWriting> = {
  read: fromStore((store) => ({ effects: createEffectReader(store?.effects ?? NO_EFFECTS) })),
  write: fromRuntime(({ admin }) => admin),
};

export const askEffects = askAt(EFFECTS);

/** A state root that was never used has nothing to settle, which is no fault. */
const NO_EFFECTS = {
  find: async () => undefined,
  list: async () => ({ effects: [], next: undefined }),
};

/** Says which effect was looked for when there is none. */
export function namingEffect<T>(name: string, lookup: Promise<T>): Promise<T> {
  const hint = 'claw effects list shows the effects there are';
  return naming({ thing: 'effect', name, hint }, lookup);
}

/** Without a writer: a mistyped id must not create a state root. */
export async function assertEffect(context: CliContext, id: string): Promise<void> {
  await namingEffect(id, askEffects(context, getEffect, { params: { effect_id: id } }));
}
