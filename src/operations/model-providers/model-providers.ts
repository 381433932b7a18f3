import type { ModelProviders } from '../../core/integrations/model-providers.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeProvider, encodeProviderAnswer } from './model-provider-codec.ts';

export interface ModelProviderAccess {
  readonly modelProviders: ModelProviders;
}

const define = operationsWith(() => import('./model-provider-shapes.ts'));

const TAGS = ['models'];
const PROVIDERS = '/api/admin/model-providers';

export const listModelProviders = define({
  name: 'modelProviders.list',
  method: 'GET',
  path: PROVIDERS,
  effect: 'read',
  summary: 'List providers of models',
  description:
    'Where each is reached, where its key was found, and what is missing. None is asked.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ modelProviderList }) => ({
    answers: { 200: answer('All that are known.', modelProviderList) },
  }),
  run: async ({ modelProviders }: ModelProviderAccess) => ({
    providers: (await modelProviders.list()).map(encodeProvider),
  }),
});

export const testModelProvider = define({
  name: 'modelProviders.test',
  method: 'POST',
  path: `${PROVIDERS}/:provider/test`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Ask a provider of models now',
  description: 'One request with its key that reads and spends nothing, within 5 seconds.',
  tags: TAGS,
  errors: [400, 401, 403, 413, 415, 429, 500, 503],
  wire: ({ modelProviderParams, modelProviderAnswer }) => ({
    params: modelProviderParams,
    answers: { 200: answer('What came of it.', modelProviderAnswer) },
  }),
  run: async ({ modelProviders }: ModelProviderAccess, { params }) =>
    encodeProviderAnswer(await modelProviders.test(params.provider)),
});

/** In the order of the documentation. */
export const MODEL_PROVIDER_OPERATIONS: readonly AnyOperation<ModelProviderAccess>[] = [
  listModelProviders,
  testModelProvider,
];
