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

export function createPostings(): Postings {
  // A chain for each term: eight bytes an entry, and nothing is moved when a term grows.
  let entries = new Int32Array(4_096);
  let earlier = new Int32Array(4_096);
  let size = 0;
  let heads = new Int32Array(1_024).fill(NONE);
  let frequencies = new Int32Array(1_024);

  function reserveTerm(term: number): void {
    if (term < heads.length) return;
    const length = Math.max(term + 1, heads.length * 2);
    heads = grow(heads, length, NONE);
    frequencies = grow(frequencies, length, 0);
  }

  return {
    get bytes() {
      return (entries.length + earlier.length + heads.length + frequencies.length) * 4;
    },

    add(term, slot) {
      reserveTerm(term);
      const head = heads[term] as number;
      const entry = head === NONE ? NONE : (entries[head] as number);
      if (entry !== NONE && (entry & SLOT_MASK) === slot) {
        if (entry >>> SLOT_BITS < MAX_COUNT) entries[head] = entry + MAX_SLOTS;
        return;
      }
      if (size === entries.length) {
        const length = Math.ceil(entries.length * 1.5);
        entries = grow(entries, length, 0);
        earlier = grow(earlier, length, 0);
      }
      entries[size] = slot | (1 << SLOT_BITS);
      earlier[size] = head;
      heads[term] = size;
      frequencies[term] = (frequencies[term] as number) + 1;
      size += 1;
    },

    frequency: (term) => frequencies[term] ?? 0,

    forget(term) {
      frequencies[term] = Math.max(0, (frequencies[term] ?? 0) - 1);
    },

    collect(term, visible, found) {
      let count = 0;
      for (let at = heads[term] ?? NONE; at !== NONE; at = earlier[at] as number) {
        const entry = entries[at] as number;
        const slot = entry & SLOT_MASK;
        if (visible[slot] !== 1) continue;
        if (count === found.slots.length) widen(found);
        found.slots[count] = slot;
        found.counts[count] = entry >>> SLOT_BITS;
        count += 1;
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
