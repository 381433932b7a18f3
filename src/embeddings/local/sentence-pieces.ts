/** A piece of text and the logarithm of how likely it is. */
export type Piece = readonly [text: string, score: number];

export interface Tokenizer {
  /** Numbers of the pieces that the text most likely consists of. */
  encode(text: string): number[];
}

/** Stands for a space, also before the first word. */
const SPACE = '\u2581';
const UNKNOWN = 0;
/** The first ones of the vocabulary are no text. */
const RESERVED = 6;

/**
 * Cuts a text into the pieces of a unigram model: of all ways to write it as pieces, the likeliest. Scores and ties are
 * treated as the model's training tools do it; another cut would be another sentence to the model.
 */
export function createTokenizer(vocabulary: readonly Piece[]): Tokenizer {
  const numbers = new Map<string, number>();
  const lengths: number[] = [];
  vocabulary.forEach(([piece], number) => {
    if (number >= RESERVED) numbers.set(piece, number);
    lengths.push(number === UNKNOWN ? 1 : Array.from(piece).length);
  });
  const longest = Math.max(1, ...lengths);

  function findPieces(symbols: readonly string[], start: number): number[] {
    const found: number[] = [];
    let piece = '';
    for (let end = start; end < Math.min(start + longest, symbols.length); end += 1) {
      piece += symbols[end];
      const number = numbers.get(piece);
      if (number !== undefined) found.push(number);
    }
    return found.length > 0 ? found : [UNKNOWN];
  }

  /** For each position, the last piece of the best way to get there. */
  function findBestPieces(symbols: readonly string[]): number[] {
    const scores = new Array<number>(symbols.length + 1).fill(0);
    const last = new Array<number>(symbols.length + 1).fill(UNKNOWN);
    for (let start = 0; start < symbols.length; start += 1) {
      for (const number of findPieces(symbols, start)) {
        const end = start + (lengths[number] ?? 1);
        const own = number === UNKNOWN ? 0 : (vocabulary[number]?.[1] ?? 0);
        const score = own + (scores[start] ?? 0);
        if (scores[end] === 0 || score >= (scores[end] ?? 0)) {
          scores[end] = score;
          last[end] = number;
        }
      }
    }
    return last;
  }

  return {
    encode(text) {
      const normalized = text.normalize('NFKC');
      if (normalized === '') return [];
      const symbols = Array.from(SPACE + normalized.replaceAll(' ', SPACE));
      const last = findBestPieces(symbols);
      const pieces: number[] = [];
      for (let end = symbols.length; end > 0; ) {
        const number = last[end] ?? UNKNOWN;
        // Any number of unknown characters in a row are one piece.
        if (number !== UNKNOWN || pieces.at(-1) !== UNKNOWN) pieces.push(number);
        end -= lengths[number] ?? 1;
      }
      return pieces.reverse();
    },
  };
}
