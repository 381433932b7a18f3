import { RuntimeError } from '../../core/errors.ts';
import { parseSecretName } from '../../core/secrets/parse-secret.ts';
import type { Secrets } from '../../core/secrets/secrets.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeSecrets } from './secret-codec.ts';

/** Nobody outside asks for a value. */
export interface SecretKeeping {
  readonly secrets: Pick<Secrets, 'list' | 'put' | 'remove'>;
}

const define = operationsWith(() => import('./secret-shapes.ts'));

const TAGS = ['secrets'];
const SECRETS = '/api/admin/secrets';

export const listSecrets = define({
  name: 'secrets.list',
  method: 'GET',
  path: SECRETS,
  effect: 'read',
  summary: 'List the names of secrets',
  description: 'By name. Values are never shown.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ secretList }) => ({ answers: { 200: answer('The names.', secretList) } }),
  run: async ({ secrets }: SecretKeeping) => encodeSecrets(await secrets.list()),
});

export const storeSecret = define({
  name: 'secrets.store',
  method: 'POST',
  path: SECRETS,
  effect: 'write',
  isRepeatable: true,
  summary: 'Store a secret',
  description: 'One way: the value can be used and replaced, but not read back.',
  tags: TAGS,
  errors: [400, 401, 403, 409, 413, 415, 429, 500, 503],
  wire: ({ secretBody, secretStored }) => ({
    body: secretBody,
    answers: { 200: answer('It is stored.', secretStored) },
  }),
  async run({ secrets }: SecretKeeping, { body: { name, value } }) {
    await secrets.put(name, value);
    return { ok: true as const, stored: name };
  },
});

export const removeSecret = define({
  name: 'secrets.remove',
  method: 'DELETE',
  path: `${SECRETS}/*`,
  effect: 'write',
  summary: 'Remove a secret',
  description: 'The name is the rest of the path, with its slashes.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ secretParams, secretRemoved }) => ({
    params: secretParams,
    answers: { 200: answer('It is gone.', secretRemoved) },
  }),
  async run({ secrets }: SecretKeeping, { params }) {
    const name = parseSecretName(params['*']);
    if (await secrets.remove(name)) return { ok: true as const, removed: name };
    throw new RuntimeError('not_found', `secret ${name} does not exist`, {
      details: { thing: 'secret' },
    });
  },
});

/** In the order of the documentation. */
export const SECRET_OPERATIONS: readonly AnyOperation<SecretKeeping>[] = [
  listSecrets,
  storeSecret,
  removeSecret,
];
