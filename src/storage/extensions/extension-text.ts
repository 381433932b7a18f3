import { dirname } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import type { ExtensionEntry } from '../../core/inventory/inventory-entry.ts';
import { type FrontMatter, parseFrontMatter } from '../../core/inventory/parse-front-matter.ts';
import { readInside } from './read-inside.ts';

/** Of a skill's text. A model is given all of it, so what is larger is not an instruction any more. */
export const MAX_TEXT_BYTES = 64 * 1024;

const MAX_NAME_CHARS = 64;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const MAX_RESPONSIBILITY_CHARS = 300;

export function isExtensionName(name: string): boolean {
  return name.length <= MAX_NAME_CHARS && NAME.test(name);
}

/** The description as one plain line; else the first line of the text itself. Empty when there is neither. */
export function describeText({ fields, body }: FrontMatter): string {
  const heading = body.split('\n').find((line) => /[^\s#]/.test(line)) ?? '';
  return toResponsibility(fields.get('description') || heading.replace(/^#+\s*/, ''));
}

export function toResponsibility(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = [...line.slice(0, MAX_RESPONSIBILITY_CHARS * 2)];
  return characters.length > MAX_RESPONSIBILITY_CHARS
    ? `${characters.slice(0, MAX_RESPONSIBILITY_CHARS - 1).join('')}…`
    : characters.join('');
}

/** The instructions that a skill or a plugin's command stands for, without what it says about itself. */
export async function readExtensionText(entry: ExtensionEntry): Promise<string> {
  const { name, file } = entry;
  if (file === undefined) {
    throw new RuntimeError('invalid_input', `command ${name} has no text of instructions`, {
      details: { target: entry.sourceHint },
    });
  }
  const read = await readInside(dirname(file), file, MAX_TEXT_BYTES);
  if (read.outcome !== 'read') {
    const reason = read.outcome === 'missing' ? 'is gone' : read.reason;
    throw new RuntimeError('storage_unavailable', `${entry.sourceHint} ${reason}`, {
      details: { path: entry.sourceHint },
    });
  }
  return (parseFrontMatter(read.text)?.body ?? read.text).trim();
}
