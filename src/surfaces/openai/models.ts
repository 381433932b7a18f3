import type { Completions } from '../../core/completions/completions.ts';
import { answer, operationsWith } from '../../operations/operation.ts';
import { toSeconds } from './to-seconds.ts';

export interface ModelReading {
  readonly completions: Pick<Completions, 'listModels'>;
}

const define = operationsWith(() => import('./model-schema.ts'));

export const listModels = define({
  name: 'models.list',
  method: 'GET',
  path: '/v1/models',
  effect: 'read',
  summary: 'List models',
  description:
    'Agents as `agent/<name>`, the models that are configured as `provider/name`, and the embedder.',
  tags: ['openai'],
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ modelsQuery, modelList }) => ({
    query: modelsQuery,
    answers: { 200: answer('All of them.', modelList) },
  }),
  async run({ completions }: ModelReading) {
    const models = await completions.listModels();
    return {
      object: 'list' as const,
      data: models.map(({ id, createdAtMs, ownedBy }) => ({
        id,
        object: 'model' as const,
        created: toSeconds(createdAtMs),
        owned_by: ownedBy,
      })),
    };
  },
});
