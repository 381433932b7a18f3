import type { Effects } from '../../core/effects/effects.ts';
import type { RequestId } from '../../core/ids.ts';
import { encodeEffect, encodeEffectPage } from '../http/admin-codec.ts';
import { decodeEffectQuery } from '../http/admin-queries.ts';
import { effect, effectList } from '../http/admin-shapes.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { OPERATOR } from './operator.ts';
import { effectParams, listEffectsQuery, resolveEffectBody } from './schema.ts';

const TAGS = ['effects'];

const listEffects = {
  summary: 'List the effect ledger, newest first',
  description: 'Every call that changes the world, and what became of it. Pages by cursor.',
  tags: TAGS,
  security: BEARER,
  querystring: listEffectsQuery,
  response: {
    200: answer('One page of effects.', effectList),
    ...errorAnswers(400, 401, 403, 429, 500, 503),
  },
};

const getEffect = {
  summary: 'Read an effect',
  description: 'Its id is the request id of its tool call.',
  tags: TAGS,
  security: BEARER,
  params: effectParams,
  querystring: noQuery,
  response: {
    200: answer('The effect as it is now.', effect),
    ...errorAnswers(400, 401, 403, 404, 429, 500, 503),
  },
};

const resolveEffect = {
  summary: 'Settle an unknown effect',
  description:
    'Records what a person found out about an effect that was sent and never answered. Once: 409 when it is known.',
  tags: TAGS,
  security: BEARER,
  params: effectParams,
  querystring: noQuery,
  body: resolveEffectBody,
  response: {
    200: answer('The effect with its resolution.', effect),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
  },
};

export function addEffectRoutes(app: SurfaceApp, effects: Effects): void {
  app.get('/effects', { schema: listEffects }, async (request, reply) => {
    const page = await effects.list(decodeEffectQuery(request.query));
    return reply.send(encodeEffectPage(page));
  });

  app.get('/effects/:effect_id', { schema: getEffect }, async (request, reply) =>
    reply.send(encodeEffect(await effects.get(request.params.effect_id as RequestId))),
  );

  app.post('/effects/:effect_id/resolve', { schema: resolveEffect }, async (request, reply) => {
    const { status, note = '' } = request.body;
    const id = request.params.effect_id as RequestId;
    return reply.send(encodeEffect(await effects.resolve(id, { status, note, by: OPERATOR })));
  });
}
