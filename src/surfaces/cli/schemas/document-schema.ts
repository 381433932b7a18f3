import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import type { CommandSchemas } from './command-schemas.ts';

/** The members of a lookup that found nothing. */
const NOT_FOUND: JsonObject = { name: { type: 'string' }, found: { const: false } };

const PLACE = '#/$defs/';
const OBJECT = { type: 'object' } as const;
const ENVELOPE = refer('envelope');
const MEMBERS = refer('members');
const ERROR = refer('error');

/**
 * The whole JSON document of a command, in its three endings; the shapes of envelope 1.0 stand beside them. It needs no
 * other file. Undefined for a command that has none.
 */
export function toDocumentSchema(
  { $defs, commands }: CommandSchemas,
  command: string,
): JsonObject | undefined {
  const answer = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (answer === undefined) return undefined;
  const { properties, required = [] } = answer;
  const own = {
    ...toEndings(command, Object.keys(properties), required),
    members: { ...OBJECT, properties },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:pincer:cli:2.0:${command.replaceAll(' ', '-')}`,
    title: `claw ${command} --output-format json`,
    oneOf: [refer('success'), refer('failure'), refer('timeout')],
    $defs: { ...own, ...pickUsed($defs, own) },
  };
}

function toEndings(
  command: string,
  members: readonly string[],
  required: readonly string[],
): JsonObject {
  const ending = (exitCode: number, more: JsonObject) => ({
    ...OBJECT,
    allOf: [ENVELOPE, MEMBERS],
    properties: { command: { const: command }, exit_code: { const: exitCode }, ...more },
  });
  // A failure may still have something to report, and a lookup in vain says so with the same members.
  const lookup = Object.entries(NOT_FOUND).filter(([name]) => !members.includes(name));
  const whatFailed = { ...Object.fromEntries(lookup), error: ERROR };
  return {
    success: { ...ending(0, {}), required },
    failure: { ...ending(1, whatFailed), required: ['error'] },
    timeout: ending(2, whatFailed),
    legacy_success: {
      ...OBJECT,
      allOf: [MEMBERS],
      properties: { kind: { const: command }, type: { const: 'success' } },
      required: ['kind', 'type', ...required],
    },
  };
}

/** What is referred to, also by what is referred to, in the order of the definitions; 1.0 of a failure stands alone. */
function pickUsed(definitions: JsonObject, start: JsonObject): JsonObject {
  const used = new Set(['legacy_error']);
  collectReferences(start, used);
  for (const name of used) collectReferences(definitions[name], used);
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => used.has(name)));
}

function collectReferences(value: JsonValue | undefined, names: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) collectReferences(item, names);
  } else if (isJsonObject(value)) {
    for (const [keyword, member] of Object.entries(value)) {
      if (keyword === '$ref' && typeof member === 'string') names.add(member.replace(PLACE, ''));
      else collectReferences(member, names);
    }
  }
}

function refer(name: string): JsonObject {
  return { $ref: `${PLACE}${name}` };
}
