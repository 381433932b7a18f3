import { decodeView } from './decoded-view.ts';
import { REDACTED } from './redact.ts';

/** Shorter values would strike words that are no secrets. */
const MIN_SECRET_CHARS = 6;

/** Escapes within escapes within escapes: JSON in JSON in a URL. Each layer makes the text shorter. */
export const MAX_LAYERS = 4;

/** Longer values are whole documents; their base64 and hex would take ten times their room. */
const MAX_ENCODED_CHARS = 8_192;

/**
 * Everything to look for in a text and in what is left of it once its escapes are undone: the values themselves, and
 * what they look like in base64 and hex. Longest first.
 */
export function toSpellings(values: readonly string[]): string[] {
  const all = new Set<string>();
  const add = (spelling: string) => {
    if (spelling.length >= MIN_SECRET_CHARS && !REDACTED.includes(spelling)) all.add(spelling);
  };
  for (const value of values) {
    if (value.length < MIN_SECRET_CHARS || REDACTED.includes(value)) continue;
    for (const plain of listPlain(value)) add(plain);
    if (value.length > MAX_ENCODED_CHARS) continue;
    for (const encoded of [...listBase64(value), ...listHex(value)]) add(encoded);
  }
  return [...all].sort((a, b) => b.length - a.length);
}

/** A value that looks escaped itself loses that look together with the text around it. */
function listPlain(value: string): string[] {
  const layers = [value];
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const view = decodeView(layers.at(-1) ?? '');
    if (view === undefined) break;
    layers.push(view.text);
  }
  // A form writes a space as a plus, and what is no ASCII as bytes.
  return layers.flatMap((text) => {
    const bytes = text.replace(NOT_ASCII, toPercent);
    return [text, text.replaceAll(' ', '+'), bytes, bytes.replaceAll(' ', '+')];
  });
}

const NOT_ASCII = /[^\p{ASCII}]+/gu;

function toPercent(text: string): string {
  return Array.from(
    Buffer.from(text, 'utf8'),
    (byte) => `%${byte.toString(16).toUpperCase()}`,
  ).join('');
}

/**
 * As it stands in the base64 of a longer text, such as `user:secret`: three bytes become four characters, so it can
 * begin at three places. Characters that its neighbours have a share in are left out.
 */
function listBase64(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const from = Math.ceil((offset * 8) / 6);
    const to = Math.floor(((offset + bytes.length) * 8) / 6);
    const inner = whole.slice(from, to);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function listHex(value: string): string[] {
  const hex = Buffer.from(value, 'utf8').toString('hex');
  return [hex, hex.toUpperCase()];
}
