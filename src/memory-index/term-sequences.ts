/** The terms of every text in their order, one after the other: for phrases, and to take a text out again. */
export interface TermSequences {
  readonly bytes: number;
  add(terms: ArrayLike<number>): { readonly start: number; readonly size: number };
  read(start: number, size: number): Int32Array;
  /** One of them, without a view over it. */
  termAt(place: number): number;
  /** Empties it; answers with what there was. */
  restart(): Int32Array;
}

const START = 4_096;

export function createTermSequences(): TermSequences {
  let terms = new Int32Array(START);
  let end = 0;

  return {
    get bytes() {
      return terms.byteLength;
    },
    read: (start, size) => terms.subarray(start, start + size),
    termAt: (place) => terms[place] ?? 0,

    add(added) {
      if (end + added.length > terms.length) {
        const grown = new Int32Array(Math.ceil((end + added.length) * 1.5));
        grown.set(terms.subarray(0, end));
        terms = grown;
      }
      const start = end;
      terms.set(added, start);
      end += added.length;
      return { start, size: added.length };
    },

    restart() {
      const old = terms;
      terms = new Int32Array(Math.max(START, Math.ceil(old.length / 2)));
      end = 0;
      return old;
    },
  };
}
