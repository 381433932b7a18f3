import type { EffectReader, Effects } from '../../core/effects/effects.ts';
import type { RequestId } from '../../core/ids.ts';
import { OPERATOR } from '../../core/principal.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { decodeEffectQuery, encodeEffect, encodeEffectPage } from './effect-codec.ts';

/** For those who only look. */
export interface EffectReading {
  readonly effects: EffectReader;
}

export interface EffectWriting extends EffectReading {
  readonly effects: Effects;
}

const define = operationsWith(() => import('./effect-shapes.ts'));

const TAGS = ['effects'];
const EFFECTS = '/api/admin/effects';
const ONE_EFFECT = `${EFFECTS}/:effect_id` as const;

export const listEffects = define({
  name: 'effects.list',
  method: 'GET',
  path: EFFECTS,
  effect: 'read',
  summary: 'List the effect ledger, newest first',
  description: 'Every call that changes the world, and what became of it. Pages by cursor.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ listEffectsQuery, effectList }) => ({
    query: listEffectsQuery,
    answers: { 200: answer('One page of effects.', effectList) },
  }),
  run: async ({ effects }: EffectReading, { query }) =>
    encodeEffectPage(await effects.list(decodeEffectQuery(query))),
});

export const getEffect = define({
  name: 'effects.get',
  method: 'GET',
  path: ONE_EFFECT,
  effect: 'read',
  summary: 'Read an effect',
  description: 'Its id is the request id of its tool call.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ effectParams, effect }) => ({
    params: effectParams,
    answers: { 200: answer('The effect as it is now.', effect) },
  }),
  run: async ({ effects }: EffectReading, { params }) =>
    encodeEffect(await effects.get(params.effect_id as RequestId)),
});

export const resolveEffect = define({
  name: 'effects.resolve',
  method: 'POST',
  path: `${ONE_EFFECT}/resolve`,
  effect: 'write',
  summary: 'Settle an unknown effect',
  description:
    'Records what a person found out about an effect that was sent and never answered. Once: 409 when it is known.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
  wire: ({ effectParams, resolveEffectBody, effect }) => ({
    params: effectParams,
    body: resolveEffectBody,
    answers: { 200: answer('The effect with its resolution.', effect) },
  }),
  async run({ effects }: EffectWriting, { params, body: { status, note = '' } }) {
    const resolution = { status, note, by: OPERATOR };
    return encodeEffect(await effects.resolve(params.effect_id as RequestId, resolution));
  },
});

/** In the order of the documentation. */
export const EFFECT_OPERATIONS: readonly AnyOperation<EffectWriting>[] = [
  listEffects,
  getEffect,
  resolveEffect,
];
