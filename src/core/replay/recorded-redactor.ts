import type { JsonValue } from '../json.ts';
import { REDACTED, type Redactor } from '../redact/redact.ts';

/** What is on record was redacted then: all that is left to tell is where. */
export const recordedRedactor: Redactor = {
  redact: (value, path) => ({ value, paths: findRedacted(value, path) }),
  redactText: (text) => text,
};

function findRedacted(value: JsonValue, path: string): string[] {
  if (typeof value === 'string') return value.includes(REDACTED) ? [path] : [];
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findRedacted(item, `${path}[${index}]`));
  }
  return Object.entries(value).flatMap(([name, item]) => findRedacted(item, `${path}.${name}`));
}
