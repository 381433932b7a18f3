import { matchAt, reachesEnd, type Source } from './finding.ts';

const MAX_SPACES = 8;
const OPENING = /\{\{[ \t]{0,8}$/;
/** As far as it goes: a stream may have brought only a part of it. */
const REST = /[ \t]{0,8}(?::[ \t]{0,8}(?:[A-Za-z0-9._/-]{1,128}(?:[ \t]{0,8}\}{0,2})?)?)?/y;

/**
 * Whether the word `secret` in this place is that of `{{secret:NAME}}`, which names a secret and holds none. Taking
 * the name for a value would break every reference that goes through a record.
 */
export function findReference(
  source: Source,
  word: { readonly start: number; readonly end: number },
): 'reference' | 'open' | undefined {
  const { text } = source;
  if (text.slice(word.start, word.end) !== 'secret') return undefined;
  const before = text.slice(Math.max(0, word.start - MAX_SPACES - 2), word.start);
  if (!OPENING.test(before)) return undefined;
  const rest = matchAt(REST, text, word.end) ?? '';
  if (rest.endsWith('}}')) return 'reference';
  return reachesEnd(source, word.end + rest.length) ? 'open' : undefined;
}
