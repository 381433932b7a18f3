/** Finds many texts in one pass. */
export interface TextMatcher {
  /** Calls back with the place of every occurrence; of those that begin at one place, the longest. */
  scan(text: string, found: (start: number, end: number) => void): void;
  /** Where the longest end of `text` begins that is the beginning of one of the texts. */
  unfinishedStart(text: string): number;
}

/** Three characters tell where a text may be and how far it can't be; with two, a thousand keys would fill the table. */
const BLOCK_CHARS = 3;
const MIN_TABLE = 1 << 12;
const MAX_TABLE = 1 << 20;
const ROOM_PER_BLOCK = 8;

/**
 * After Wu and Manber: the last block of a window says how far the window can move on without missing anything. What
 * it costs hardly depends on how many texts there are. All of them have at least `BLOCK_CHARS` characters.
 */
export function createTextMatcher(texts: readonly string[]): TextMatcher {
  const longestFirst = [...texts].sort((a, b) => b.length - a.length);
  const window = longestFirst.at(-1)?.length ?? 0;
  const { shifts, buckets, mask } = compile(longestFirst, window);
  const sorted = [...texts].sort();
  const firstChars = new Set(texts.map((text) => text.charCodeAt(0)));
  const longest = longestFirst[0]?.length ?? 0;

  return {
    scan(text, found) {
      if (longest === 0) return;
      for (let last = window - 1; last < text.length; ) {
        const hash = hashBlock(text, last, mask);
        const shift = shifts[hash] ?? 0;
        if (shift > 0) {
          last += shift;
          continue;
        }
        const start = last - window + 1;
        const hit = buckets.get(hash)?.find((one) => text.startsWith(one, start));
        if (hit !== undefined) found(start, start + hit.length);
        last += 1;
      }
    },

    unfinishedStart(text) {
      for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
        if (!firstChars.has(text.charCodeAt(at))) continue;
        if (hasPrefix(sorted, text.slice(at))) return at;
      }
      return text.length;
    },
  };
}

function compile(texts: readonly string[], window: number) {
  const wanted = texts.length * window * ROOM_PER_BLOCK;
  let size = MIN_TABLE;
  while (size < wanted && size < MAX_TABLE) size *= 2;
  const mask = size - 1;
  const shifts = new Uint16Array(size).fill(Math.min(window - BLOCK_CHARS + 1, 0xffff));
  const buckets = new Map<number, string[]>();
  for (const text of texts) {
    for (let last = BLOCK_CHARS - 1; last < window; last += 1) {
      const hash = hashBlock(text, last, mask);
      shifts[hash] = Math.min(shifts[hash] ?? 0, window - 1 - last);
    }
    const hash = hashBlock(text, window - 1, mask);
    const bucket = buckets.get(hash);
    if (bucket === undefined) buckets.set(hash, [text]);
    else bucket.push(text);
  }
  return { shifts, buckets, mask };
}

function hashBlock(text: string, last: number, mask: number): number {
  const block =
    text.charCodeAt(last) ^ (text.charCodeAt(last - 1) << 7) ^ (text.charCodeAt(last - 2) << 14);
  // Neighbouring letters differ in few bits; multiplying spreads them over the table.
  return (Math.imul(block, 0x9e3779b1) >>> 11) & mask;
}

function hasPrefix(sorted: readonly string[], prefix: string): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(prefix) ?? false;
}
