import { z } from 'zod';
import type { Completions } from '../../core/completions/completions.ts';
import { answer, BEARER, errorAnswersOf } from '../http/answers.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { toSeconds } from './to-seconds.ts';

const modelList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      id: z.string(),
      object: z.literal('model'),
      created: z.int(),
      owned_by: z.string(),
    }),
  ),
});

export function addModelRoute(app: SurfaceApp, completions: Pick<Completions, 'listModels'>): void {
  app.get(
    '',
    {
      schema: {
        summary: 'List models',
        description:
          'Agents as `agent/<slug>`, the models that are configured as `provider/name`, and the embedder.',
        tags: ['openai'],
        security: BEARER,
        response: {
          200: answer('All of them.', modelList),
          ...errorAnswersOf(app.errorEnvelope, [400, 401, 403, 429, 500, 503]),
        },
      },
    },
    async (_request, reply) => {
      const models = await completions.listModels();
      return reply.send({
        object: 'list',
        data: models.map(({ id, createdAtMs, ownedBy }) => ({
          id,
          object: 'model',
          created: toSeconds(createdAtMs),
          owned_by: ownedBy,
        })),
      });
    },
  );
}
