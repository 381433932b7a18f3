import { RuntimeError } from '../../../../core/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../core/json.ts';
import type { ConfigSavedShape } from '../../../../operations/config/config-shapes.ts';
import type { Via } from '../../healthy-server.ts';
import { toPlainText } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';
import type { ProgramParts } from '../../program/context.ts';
import { findValue, showField } from './config-field.ts';

export interface SavedField {
  readonly via: Via;
  readonly field: string;
  readonly saved: ConfigSavedShape;
}

/** Without the value: it may be a secret. */
export function toSavedFields({ via, field, saved }: SavedField) {
  const { applied, restart_required, overridden } = saved;
  return { field, applied, restart_required, overridden, via };
}

export function formatSaved({ via, field, saved }: SavedField, style: Style): string {
  const { applied, restart_required: later, overridden } = saved;
  const lines = [
    ...(applied.length === 0
      ? []
      : [`${applied.join(', ')}: saved${via === 'server' ? ', and in force now' : ''}`]),
    ...(later.length === 0
      ? []
      : [`${later.join(', ')}: saved; ${style.yellow('in force after a restart of the server')}`]),
    ...overridden.map(
      (path) => `${path}: saved, but ${style.yellow('the environment or a flag says otherwise')}`,
    ),
  ];
  return lines.length === 0 ? `${field} is as it was` : lines.join('\n');
}

/** A text as it is, everything else as JSON. */
export function formatValue(value: JsonValue): string {
  return toPlainText(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

/** Throws `not_found` with what was probably meant. */
export async function getValue(
  document: JsonObject,
  path: readonly string[],
  parts: Pick<ProgramParts, 'findClosestName'>,
): Promise<JsonValue> {
  const value = findValue(document, path);
  if (value !== undefined) return value;
  const name = showField(path);
  const depth = path.findIndex((_, at) => findValue(document, path.slice(0, at + 1)) === undefined);
  const above = findValue(document, path.slice(0, depth));
  const known = isJsonObject(above) ? Object.keys(above) : [];
  const closest = await parts.findClosestName(path[depth] ?? '', known);
  throw new RuntimeError('not_found', `the configuration has no ${name}`, {
    details: {
      thing: 'field',
      name,
      operation: 'find_field',
      hint:
        closest === undefined
          ? 'claw config get shows what there is'
          : `did you mean ${showField([...path.slice(0, depth), closest])}?`,
    },
  });
}
