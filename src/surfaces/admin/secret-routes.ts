import { RuntimeError } from '../../core/errors.ts';
import { parseSecretName } from '../../core/secrets/parse-secret.ts';
import type { Secrets } from '../../core/secrets/secrets.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import { encodeSecrets } from '../http/runtime-codec.ts';
import { secretList, secretRemoved, secretStored } from '../http/runtime-shapes.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { secretBody, secretParams } from './runtime-schema.ts';

const COMMON = { tags: ['secrets'], security: BEARER, querystring: noQuery };

const listSecrets = {
  ...COMMON,
  summary: 'List the names of secrets',
  description: 'By name. Values are never shown.',
  response: {
    200: answer('The names.', secretList),
    ...errorAnswers(400, 401, 403, 429, 500, 503),
  },
};

const putSecret = {
  ...COMMON,
  summary: 'Store a secret',
  description: 'One way: the value can be used and replaced, but not read back.',
  body: secretBody,
  response: {
    200: answer('It is stored.', secretStored),
    ...errorAnswers(400, 401, 403, 409, 413, 415, 429, 500, 503),
  },
};

const removeSecret = {
  ...COMMON,
  summary: 'Remove a secret',
  description: 'The name is the rest of the path, with its slashes.',
  params: secretParams,
  response: {
    200: answer('It is gone.', secretRemoved),
    ...errorAnswers(400, 401, 403, 404, 429, 500, 503),
  },
};

export function addSecretRoutes(
  app: SurfaceApp,
  secrets: Pick<Secrets, 'list' | 'put' | 'remove'>,
): void {
  app.get('/secrets', { schema: listSecrets }, async (_request, reply) =>
    reply.send(encodeSecrets(await secrets.list())),
  );

  app.post('/secrets', { schema: putSecret }, async (request, reply) => {
    const { name, value } = request.body;
    await secrets.put(name, value);
    return reply.send({ ok: true, stored: name });
  });

  app.delete('/secrets/*', { schema: removeSecret }, async (request, reply) => {
    const name = parseSecretName(request.params['*']);
    if (await secrets.remove(name)) return reply.send({ ok: true, removed: name });
    throw new RuntimeError('not_found', `secret ${name} does not exist`, {
      details: { thing: 'secret' },
    });
  });
}
