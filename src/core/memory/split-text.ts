/** How long a piece may be, and how much of it the next one says again, in UTF-16 units. */
export interface PieceSize {
  readonly maxLength: number;
  readonly overlap: number;
}

/**
 * What a small sentence model reads at once. The overlap keeps a thought whole that a cut went through: it is in one of
 * the two pieces.
 */
export const PIECE_SIZE: PieceSize = { maxLength: 480, overlap: 96 };

/** A text in pieces that cover it, in order. One that fits is one piece. */
export function splitText(text: string, size: PieceSize = PIECE_SIZE): string[] {
  return findPieces(text, size).map(({ start, end }) => text.slice(start, end));
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts are made at the end of a paragraph, a sentence or a word where there is one near, and never inside a character.
 * Pieces have room for 8 units at least, and the overlap is half of that room at most.
 */
export function findPieces(text: string, size: PieceSize): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  while (text.length - start > size.maxLength) {
    const piece = { start, end: findCut(text, start, size) };
    pieces.push(piece);
    start = findStart(text, piece, size);
  }
  pieces.push({ start, end: text.length });
  return pieces;
}

const ENDINGS = [/\n\s*\n\s*/gu, /[.!?…。！？]["'”’)\]]*\s+|\n\s*/gu, /\s+/gu];

/** In the second half of what would fit: the best kind of ending there is, and of that the last one. */
function findCut(text: string, start: number, { maxLength, overlap }: PieceSize): number {
  const limit = toCharacter(text, start + maxLength, start);
  // Behind what is said again, also when both ends move by a unit to spare a character: every piece gets on.
  const from = Math.max(start + Math.ceil(maxLength / 2), start + overlap + 3);
  if (from >= limit) return limit;
  const tail = text.slice(from, limit);
  for (const ending of ENDINGS) {
    const last = [...tail.matchAll(ending)].at(-1);
    if (last) return toCharacter(text, from + last.index + last[0].length, start);
  }
  return limit;
}

/** So much before the end of the piece, at the beginning of a word if there is one. */
function findStart(text: string, { start, end }: Piece, { overlap }: PieceSize): number {
  const earliest = Math.max(start + 1, end - overlap);
  const word = /\s\S/u.exec(text.slice(earliest, end));
  return toCharacter(text, word ? earliest + word.index + 1 : earliest, start);
}

/** Not between the halves of a character: before it, unless that would be no progress. */
function toCharacter(text: string, at: number, after: number): number {
  const isInside =
    at > 0 &&
    at < text.length &&
    /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
  if (!isInside) return at;
  return at - 1 > after ? at - 1 : at + 1;
}
