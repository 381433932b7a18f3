import type { ConfigEditor } from '../../core/config-editor.ts';
import type { JsonObject } from '../../core/json.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import { encodeConfigSaved, encodeConfigVerdict } from '../http/runtime-codec.ts';
import { configDocument, configSaved, configVerdict } from '../http/runtime-shapes.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { configBody } from './runtime-schema.ts';

const COMMON = { tags: ['config'], security: BEARER, querystring: noQuery };

const getConfig = {
  ...COMMON,
  summary: 'Read the configuration',
  description:
    'The file with the defaults filled in; secret values are left out. 409 while the file on disk can not be read.',
  response: {
    200: answer('The document.', configDocument),
    ...errorAnswers(400, 401, 403, 409, 429, 500, 503),
  },
};

const saved = {
  200: answer('What changed, and since when it holds.', configSaved),
  ...errorAnswers(400, 401, 403, 409, 413, 415, 429, 500, 503),
};

const replaceConfig = {
  ...COMMON,
  summary: 'Save the configuration',
  description:
    'Fields that are given replace those of the file, others stay; maps and lists are taken as given. A secret that ' +
    'is left out or blank keeps its value. A document that is not valid is 400 with `details.field_errors`, and the file stays as it was.',
  body: configBody,
  response: saved,
};

const patchConfig = {
  ...COMMON,
  summary: 'Change fields of the configuration',
  description:
    'A JSON merge patch: fields that are given change, null brings the default back. Else as for `POST`.',
  body: configBody,
  response: saved,
};

const validateConfig = {
  ...COMMON,
  summary: 'Check a configuration',
  description: 'What `POST` would say of the document. Nothing is written.',
  body: configBody,
  response: {
    200: answer('What is wrong with it, if anything.', configVerdict),
    ...errorAnswers(400, 401, 403, 409, 413, 415, 429, 500, 503),
  },
};

export function addConfigRoutes(app: SurfaceApp, config: ConfigEditor): void {
  app.get('/config', { schema: getConfig }, async (_request, reply) =>
    reply.send({ ...(await config.read()) }),
  );

  app.post('/config', { schema: replaceConfig }, async (request, reply) =>
    reply.send(encodeConfigSaved(await config.replace(decodeDocument(request.body)))),
  );

  app.patch('/config', { schema: patchConfig }, async (request, reply) =>
    reply.send(encodeConfigSaved(await config.patch(decodeDocument(request.body)))),
  );

  app.post('/config/validate', { schema: validateConfig }, async (request, reply) =>
    reply.send(encodeConfigVerdict(await config.validate(decodeDocument(request.body)))),
  );
}

/** Bodies come from JSON, so whatever is in them is JSON. */
function decodeDocument(body: Record<string, unknown>): JsonObject {
  return body as JsonObject;
}
