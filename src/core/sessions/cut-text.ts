const ELLIPSIS = '...';
const HALF_A_PAIR = /[\ud800-\udbff]$/;

/** A cluster that is longer is cut: marks can be piled up without end, and the cap must hold. */
const MAX_CLUSTER_UNITS = 64;

const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Text within a cap counted in code points, trimmed; text that was cut ends in `...`, inside the cap. A pair of
 * surrogates is never split, and what people see as one character only when it is absurdly long. Costs as much as the
 * cap is long, however long the text is.
 */
export function cutText(text: string, maxChars: number): string {
  const trimmed = text.trim();
  if (findEnd(trimmed, maxChars) === trimmed.length) return trimmed;
  if (maxChars <= ELLIPSIS.length) return ELLIPSIS.slice(0, Math.max(0, maxChars));
  const end = findEnd(trimmed, maxChars - ELLIPSIS.length);
  return `${trimmed.slice(0, toClusterStart(trimmed, end)).trimEnd()}${ELLIPSIS}`;
}

/** The same on one line. */
export function cutLine(text: string, maxChars: number): string {
  const trimmed = text.trim();
  // White space shrinks, so more than the cap is looked at, but not all of a text without end.
  const part = trimmed.slice(0, 4 * maxChars);
  const line = part.replaceAll(/\s+/g, ' ');
  const isWhole = part.length === trimmed.length;
  return cutText(isWhole ? line : `${line.replace(HALF_A_PAIR, '')}${ELLIPSIS}`, maxChars);
}

/** The first units of a text, without half a pair of surrogates at the end: not every reader takes one. */
export function cutUnits(text: string, maxUnits: number): string {
  return text.length <= maxUnits ? text : text.slice(0, maxUnits).replace(HALF_A_PAIR, '');
}

export function countChars(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += unitsAt(text, index)) count += 1;
  return count;
}

/** Where the first `maxChars` code points end. */
function findEnd(text: string, maxChars: number): number {
  // No code point is shorter than one unit: what is short enough in units needs no counting.
  if (text.length <= maxChars) return text.length;
  let index = 0;
  for (let count = 0; count < maxChars && index < text.length; count += 1) {
    index += unitsAt(text, index);
  }
  return index;
}

function unitsAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function toClusterStart(text: string, end: number): number {
  const from = Math.max(0, end - MAX_CLUSTER_UNITS);
  const around = text.slice(from, end + MAX_CLUSTER_UNITS);
  const start = clusters.segment(around).containing(end - from)?.index;
  const isOpenEnded = start === 0 && from > 0;
  return start === undefined || isOpenEnded ? end : from + start;
}
