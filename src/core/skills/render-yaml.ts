import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** Reads as the same text in every version of YAML without quotes; everything else is quoted. */
const PLAIN = /^[A-Za-z][A-Za-z0-9 _.,@/()+-]*(?<! )$/;
const WORDS_WITH_MEANING = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A map in block style, keys in order: equal values give equal text. Lists and maps that are empty are left out. */
export function renderYaml(map: JsonObject, indent = ''): string {
  return Object.keys(map)
    .sort()
    .map((key) => renderEntry(renderText(key), map[key] ?? null, indent))
    .join('');
}

function renderEntry(key: string, value: JsonValue, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '';
    return `${indent}${key}:\n${value.map((item: JsonValue) => renderItem(item, inner)).join('')}`;
  }
  if (isJsonObject(value)) {
    const entries = renderYaml(value, inner);
    return entries === '' ? '' : `${indent}${key}:\n${entries}`;
  }
  return `${indent}${key}: ${renderScalar(value)}\n`;
}

/** What is nested in a list stands there as JSON, which is YAML too. */
function renderItem(item: JsonValue, indent: string): string {
  const isNested = typeof item === 'object' && item !== null;
  return `${indent}- ${isNested ? quote(item) : renderScalar(item)}\n`;
}

function renderScalar(value: JsonValue): string {
  return typeof value === 'string' ? renderText(value) : quote(value);
}

function renderText(text: string): string {
  const isPlain = PLAIN.test(text) && !WORDS_WITH_MEANING.test(text);
  return isPlain ? text : quote(text);
}

/** JSON, with escapes also for signs that end a line, or may not stand, in some version of YAML. */
function quote(value: JsonValue): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
