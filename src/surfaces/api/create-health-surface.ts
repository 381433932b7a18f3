import { z } from 'zod';
import type { Readiness } from '../../core/readiness.ts';
import { noQuery } from '../../operations/fields.ts';
import { answer, errorAnswersOf } from '../http/answers/answers.ts';
import type { Surface, SurfaceApp } from '../http/surface.ts';
import { apiErrorEnvelope } from './error-envelope.ts';
import { encodeApiError } from './errors.ts';

export interface HealthDeps {
  readonly readiness: Pick<Readiness, 'assertReady'>;
}

/** `/health`: for whoever starts, stops and balances servers. Needs no token. */
export function createHealthSurface({ readiness }: HealthDeps): Surface {
  return {
    name: 'health',
    prefix: '/health',
    encodeError: encodeApiError,
    errorEnvelope: apiErrorEnvelope,
    authenticate: 'public',
    routes(app) {
      addLive(app);
      addReady(app, readiness);
    },
  };
}

const PROBE = { config: { quiet: true } };
const TAGS = ['health'];

function addLive(app: SurfaceApp): void {
  app.get(
    '/live',
    {
      ...PROBE,
      schema: {
        summary: 'Is the process alive?',
        description: 'Whether it answers at all; nothing else is looked at. Needs no token.',
        tags: TAGS,
        querystring: noQuery,
        response: {
          200: answer('It is.', z.object({ status: z.literal('ok') })),
          ...errorAnswersOf(app.errorEnvelope, [400, 403]),
        },
      },
    },
    async (_request, reply) => reply.send({ status: 'ok' }),
  );
}

function addReady(app: SurfaceApp, readiness: HealthDeps['readiness']): void {
  app.get(
    '/ready',
    {
      ...PROBE,
      schema: {
        summary: 'Should the server be sent work?',
        description:
          'Not while it starts, nor once it was told to stop, nor while its store does not answer. Needs no token.',
        tags: TAGS,
        querystring: noQuery,
        response: {
          200: answer('It should.', z.object({ status: z.literal('ready') })),
          ...errorAnswersOf(app.errorEnvelope, [400, 403, 503]),
        },
      },
    },
    async (_request, reply) => {
      await readiness.assertReady();
      return reply.send({ status: 'ready' });
    },
  );
}
