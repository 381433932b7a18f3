/** Which slots hold a term, and how often. Newest first; slots that are gone stay until they are swept out. */
export interface Postings {
  readonly bytes: number;
  /** One occurrence. All of a slot's terms are added before the next slot's. */
  add(term: number, slot: number): void;
  /** How many slots of those that are there hold it. */
  frequency(term: number): number;
  forget(term: number): void;
  /** Fills in the slots that are visible, and how often each holds the term; answers with their number. */
  collect(term: number, visible: Uint8Array, found: FoundSlots): number;
}

export interface FoundSlots {
  slots: Int32Array;
  counts: Uint8Array;
}

const SLOT_BITS = 24;
export const MAX_SLOTS = 2 ** SLOT_BITS;
const SLOT_MASK = MAX_SLOTS - 1;
const MAX_COUNT = 127;
const NONE = -1;

/** A chunk begins with where the one before it lies and how many entries it has room for. */
const HEADER = 2;
const MIN_ROOM = 2;
const MAX_ROOM = 1_024;

export function createPostings(): Postings {
  // Chunks for each term, each twice as large as the one before: what is read together lies together, and nothing is
  // moved when a term grows.
  let pool = new Int32Array(4_096);
  let size = 0;
  /** Where the last chunk of a term begins, and where its next entry goes. */
  let chunks = new Int32Array(1_024).fill(NONE);
  let ends = new Int32Array(1_024);
  let frequencies = new Int32Array(1_024);

  function reserveTerm(term: number): void {
    if (term < chunks.length) return;
    const length = Math.max(term + 1, chunks.length * 2);
    chunks = grow(chunks, length, NONE);
    ends = grow(ends, length, 0);
    frequencies = grow(frequencies, length, 0);
  }

  function openChunk(term: number): void {
    const last = chunks[term] as number;
    const room = last === NONE ? MIN_ROOM : Math.min(MAX_ROOM, 2 * (pool[last + 1] as number));
    const needed = size + HEADER + room;
    if (needed > pool.length) pool = grow(pool, Math.ceil(needed * 1.5), 0);
    pool[size] = last;
    pool[size + 1] = room;
    chunks[term] = size;
    ends[term] = size + HEADER;
    size = needed;
  }

  function isFull(term: number): boolean {
    const chunk = chunks[term] as number;
    return chunk === NONE || ends[term] === chunk + HEADER + (pool[chunk + 1] as number);
  }

  return {
    get bytes() {
      return (pool.length + chunks.length + ends.length + frequencies.length) * 4;
    },

    add(term, slot) {
      reserveTerm(term);
      const last = (ends[term] as number) - 1;
      const entry = chunks[term] === NONE ? NONE : (pool[last] as number);
      if (entry !== NONE && (entry & SLOT_MASK) === slot) {
        if (entry >>> SLOT_BITS < MAX_COUNT) pool[last] = entry + MAX_SLOTS;
        return;
      }
      if (isFull(term)) openChunk(term);
      pool[ends[term] as number] = slot | (1 << SLOT_BITS);
      ends[term] = (ends[term] as number) + 1;
      frequencies[term] = (frequencies[term] as number) + 1;
    },

    frequency: (term) => frequencies[term] ?? 0,

    forget(term) {
      frequencies[term] = Math.max(0, (frequencies[term] ?? 0) - 1);
    },

    collect(term, visible, found) {
      let count = 0;
      let end = ends[term] ?? 0;
      for (let chunk = chunks[term] ?? NONE; chunk !== NONE; chunk = pool[chunk] as number) {
        if (end === NONE) end = chunk + HEADER + (pool[chunk + 1] as number);
        if (count + MAX_ROOM > found.slots.length) widen(found);
        const { slots, counts } = found;
        for (let at = end - 1; at >= chunk + HEADER; at -= 1) {
          const entry = pool[at] as number;
          const slot = entry & SLOT_MASK;
          if (visible[slot] !== 1) continue;
          slots[count] = slot;
          counts[count] = entry >>> SLOT_BITS;
          count += 1;
        }
        end = NONE;
      }
      return count;
    },
  };
}

function widen(found: FoundSlots): void {
  found.slots = grow(found.slots, found.slots.length * 2, 0);
  const counts = new Uint8Array(found.counts.length * 2);
  counts.set(found.counts);
  found.counts = counts;
}

function grow(values: Int32Array, length: number, rest: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(length);
  grown.set(values);
  if (rest !== 0) grown.fill(rest, values.length);
  return grown;
}
