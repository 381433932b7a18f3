import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { invalid, unsupported } from './refuse.ts';

const TEXT_PARTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/** The text of a content: a string, or parts that are text. Anything else is refused by its place. */
export function decodeText(content: unknown, field: string): string {
  if (typeof content === 'string') return checkText(content, field);
  if (!Array.isArray(content)) throw invalid(field, 'must be a string or an array of parts');
  return content.map((part, index) => decodePart(part, `${field}[${index}]`)).join('');
}

function decodePart(part: unknown, field: string): string {
  if (!isJsonObject(part)) throw invalid(field, 'must be an object');
  const { type, text, refusal } = part;
  if (type === 'refusal') return checkText(refusal, `${field}.refusal`);
  if (TEXT_PARTS.has(type)) return checkText(text, `${field}.text`);
  const shown = typeof type === 'string' ? type.slice(0, MAX_SHOWN_CHARS) : 'without a type';
  throw unsupported(field, `is a part ${shown}: only text is supported here`);
}

const MAX_SHOWN_CHARS = 40;

/** What can be stored and read back as it was. */
export function checkText(text: unknown, field: string): string {
  if (typeof text !== 'string') throw invalid(field, 'must be a string');
  if (text.includes('\0')) throw invalid(field, 'must not contain NUL characters');
  if (!text.isWellFormed()) throw invalid(field, 'must be well-formed Unicode');
  return text;
}

/** Arguments of a call as models write them: what is no JSON object is kept as the text it is. */
export function decodeArguments(
  text: string,
): { readonly input: JsonObject } | { readonly input: JsonObject; readonly malformed: string } {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (isJsonObject(value)) return { input: value };
  } catch {
    // Told as it is below.
  }
  return { input: {}, malformed: text };
}
