import { charWidth } from './text-width.ts';

export type Paint = (text: string) => string;

export interface RowWriterOptions {
  /** Asked for every row: the window may change its size. */
  readonly columns: () => number;
  readonly write: (text: string) => void;
}

interface Piece {
  readonly char: string;
  readonly paint: Paint;
}

/** A row of fewer columns could not hold an indent and a word. */
const MIN_COLUMNS = 8;
const TAB = '    ';

/**
 * Text broken into rows at spaces, as it comes. What was written is never touched again: only the word at the end is
 * held back, until it is known whether it fits.
 */
export class RowWriter {
  readonly #options: RowWriterOptions;
  #word: Piece[] = [];
  #wordWidth = 0;
  #spaces = 0;
  #column = 0;
  #indent = 0;
  #lead: string | undefined;

  constructor(options: RowWriterOptions) {
    this.#options = options;
  }

  get isMidRow(): boolean {
    return this.#column > 0 || this.#word.length > 0;
  }

  /** One character of running text. */
  put(char: string, paint: Paint): void {
    if (char === ' ' || char === '\t') {
      this.#endWord();
      this.#spaces += char === ' ' ? 1 : TAB.length;
      return;
    }
    const width = charWidth(char);
    if (this.#wordWidth + width > this.#width - this.#indent) this.#endWord();
    this.#word.push({ char, paint });
    this.#wordWidth += width;
  }

  /** One character that stands where it stands, as in code: rows break only where they are full. */
  putVerbatim(char: string, paint: Paint): void {
    for (const one of char === '\t' ? TAB : char) {
      const width = charWidth(one);
      if (this.#column + width > this.#width) this.#breakRow();
      this.#options.write(paint(one));
      this.#column += width;
    }
  }

  /** Rows that the line still fills begin this far in, or with `lead`, which is that wide. */
  hangAt(indent: number, lead?: string): void {
    this.#indent = Math.min(indent, Math.floor(this.#width / 2));
    this.#lead = this.#indent === indent ? lead : undefined;
  }

  endLine(): void {
    this.#endWord();
    this.#options.write('\n');
    this.#column = 0;
    this.#spaces = 0;
    this.#indent = 0;
    this.#lead = undefined;
  }

  /** Writes what was held back. */
  flush(): void {
    this.#endWord();
  }

  get #width(): number {
    // The last column stays free: terminals differ in where the cursor is behind it.
    return Math.max(MIN_COLUMNS, this.#options.columns() - 1);
  }

  #endWord(): void {
    if (this.#word.length === 0) return;
    const isFull = this.#column + this.#spaces + this.#wordWidth > this.#width;
    if (isFull && this.#column > this.#indent) this.#breakRow();
    const spaces = Math.min(this.#spaces, Math.max(0, this.#width - this.#column - 1));
    this.#options.write(' '.repeat(spaces) + paintRuns(this.#word));
    this.#column += spaces + this.#wordWidth;
    this.#spaces = 0;
    this.#word = [];
    this.#wordWidth = 0;
  }

  #breakRow(): void {
    this.#options.write(`\n${this.#lead ?? ' '.repeat(this.#indent)}`);
    this.#column = this.#indent;
    this.#spaces = 0;
  }
}

/** Neighbours of one colour are painted together. */
function paintRuns(pieces: readonly Piece[]): string {
  let painted = '';
  let run = '';
  pieces.forEach(({ char, paint }, at) => {
    run += char;
    if (pieces[at + 1]?.paint === paint) return;
    painted += paint(run);
    run = '';
  });
  return painted;
}
