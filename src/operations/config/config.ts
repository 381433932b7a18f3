import type { ConfigEditor } from '../../core/config-editor.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeConfigDescription, encodeConfigSaved, encodeConfigVerdict } from './config-codec.ts';

/** For those who only look. */
export interface ConfigReading {
  readonly config: Pick<ConfigEditor, 'read' | 'validate' | 'describe'>;
}

export interface ConfigWriting extends ConfigReading {
  readonly config: ConfigReading['config'] & Pick<ConfigEditor, 'replace' | 'patch'>;
}

const define = operationsWith(() => import('./config-shapes.ts'));

const TAGS = ['config'];
const CONFIG = '/api/admin/config';
const WRITE_ERRORS = [400, 401, 403, 409, 413, 415, 429, 500, 503] as const;
const SAVED = 'What changed, and since when it holds.';

export const readConfig = define({
  name: 'config.read',
  method: 'GET',
  path: CONFIG,
  effect: 'read',
  summary: 'Read the configuration',
  description:
    'The file with the defaults filled in; secret values are left out. 409 while the file on disk can not be read.',
  tags: TAGS,
  errors: [400, 401, 403, 409, 429, 500, 503],
  wire: ({ configDocument }) => ({ answers: { 200: answer('The document.', configDocument) } }),
  run: async ({ config }: ConfigReading) => ({ ...(await config.read()) }),
});

export const describeConfig = define({
  name: 'config.schema',
  method: 'GET',
  path: `${CONFIG}/schema`,
  effect: 'read',
  summary: 'What there is to set',
  description:
    'The JSON Schema of the document, and of every field its default, whether a change waits for a restart, whether it ' +
    'is a secret that is never shown, and what overrides it.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ configDescription }) => ({
    answers: { 200: answer('The schema and its fields.', configDescription) },
  }),
  run: async ({ config }: ConfigReading) => encodeConfigDescription(await config.describe()),
});

const replaceConfig = define({
  name: 'config.replace',
  method: 'POST',
  path: CONFIG,
  effect: 'write',
  summary: 'Save the configuration',
  description:
    'Fields that are given replace those of the file, others stay; maps and lists are taken as given. A secret that ' +
    'is left out or blank keeps its value. A document that is not valid is 400 with `details.field_errors`, and the file stays as it was.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ configBody, configSaved }) => ({
    body: configBody,
    answers: { 200: answer(SAVED, configSaved) },
  }),
  run: async ({ config }: ConfigWriting, { body }) => encodeConfigSaved(await config.replace(body)),
});

export const changeConfig = define({
  name: 'config.change',
  method: 'PATCH',
  path: CONFIG,
  effect: 'write',
  summary: 'Change fields of the configuration',
  description:
    'A JSON merge patch: fields that are given change, null brings the default back. Else as for `POST`.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ configBody, configSaved }) => ({
    body: configBody,
    answers: { 200: answer(SAVED, configSaved) },
  }),
  run: async ({ config }: ConfigWriting, { body }) => encodeConfigSaved(await config.patch(body)),
});

const validateConfig = define({
  name: 'config.validate',
  method: 'POST',
  path: `${CONFIG}/validate`,
  effect: 'read',
  isRepeatable: true,
  summary: 'Check a configuration',
  description: 'What `POST` would say of the document. Nothing is written.',
  tags: TAGS,
  errors: WRITE_ERRORS,
  wire: ({ configBody, configVerdict }) => ({
    body: configBody,
    answers: { 200: answer('What is wrong with it, if anything.', configVerdict) },
  }),
  run: async ({ config }: ConfigReading, { body }) =>
    encodeConfigVerdict(await config.validate(body)),
});

/** In the order of the documentation. */
export const CONFIG_OPERATIONS: readonly AnyOperation<ConfigWriting>[] = [
  readConfig,
  describeConfig,
  replaceConfig,
  changeConfig,
  validateConfig,
];
