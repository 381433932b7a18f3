import type { JsonObject } from '../../../core/json.ts';
import { ERROR_KINDS, NOT_FOUND_KIND } from '../error-kinds.ts';
import type { CommandSchema } from './command-schema.ts';
import { flag, type JsonSchema, object, text } from './json-schema.ts';

const TIMESTAMP: JsonSchema = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
  description: 'when the command ended, UTC, whole seconds',
};

const ERROR = object(
  {
    kind: {
      type: 'string',
      anyOf: [{ enum: ERROR_KINDS }, { pattern: NOT_FOUND_KIND.source }],
    },
    operation: { ...text, description: 'what failed: a call or a step' },
    target: { ...text, description: 'what it failed on: a path, an id, a name' },
    retryable: { ...flag, description: 'the same command may succeed later, unchanged' },
    message: text,
  },
  { hint: { ...text, description: 'what to do about it' } },
);

const LEGACY_ERROR = object({
  type: { const: 'error' },
  error: text,
  kind: text,
  hint: { anyOf: [text, { type: 'null' }] },
});

/** The members of a lookup that found nothing. */
const NOT_FOUND = { name: text, found: { const: false } };

/** The whole JSON document of a command, in its three endings; the shapes of envelope 1.0 stand beside them. */
export function toDocumentSchema(command: string, schema: CommandSchema): JsonObject {
  const { fields, optional = {}, failure = {} } = schema;
  const members = { ...fields, ...optional };
  // A failure may still have something to report, and a lookup in vain says so with the same members.
  const whatFailed = { ...NOT_FOUND, ...members, ...failure };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:pincer:cli:2.0:${command.replaceAll(' ', '-')}`,
    title: `claw ${command} --output-format json`,
    oneOf: [{ $ref: '#/$defs/success' }, { $ref: '#/$defs/failure' }, { $ref: '#/$defs/timeout' }],
    $defs: {
      success: object({ ...commonMembers(command, 0), ...fields }, optional),
      failure: object(
        { ...commonMembers(command, 1), error: { $ref: '#/$defs/error' } },
        whatFailed,
      ),
      timeout: object(commonMembers(command, 2), {
        ...whatFailed,
        error: { $ref: '#/$defs/error' },
      }),
      error: ERROR,
      legacy_success: object(
        { kind: { const: command }, type: { const: 'success' }, ...legacyFields(fields) },
        legacyFields(optional),
      ),
      legacy_error: LEGACY_ERROR,
    },
  };
}

function commonMembers(command: string, exitCode: number) {
  return {
    timestamp: TIMESTAMP,
    command: { const: command },
    exit_code: { const: exitCode },
    output_format: { const: 'json' },
    schema_version: { const: '2.0' },
  };
}

/** In 1.0 the envelope's own `kind` and `type` win over a result's. */
function legacyFields(members: CommandSchema['fields']): CommandSchema['fields'] {
  return Object.fromEntries(
    Object.entries(members).filter(([name]) => name !== 'kind' && name !== 'type'),
  );
}
