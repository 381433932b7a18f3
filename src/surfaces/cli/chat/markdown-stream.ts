import type { Style } from '../style.ts';
import { type Paint, RowWriter } from './row-writer.ts';

export interface MarkdownOptions {
  readonly style: Style;
  readonly columns: () => number;
  readonly write: (text: string) => void;
}

const plain: Paint = (text) => text;

/** What a line may begin with, as far as it matters, and the longest it may take to tell. */
const UNDECIDED = /^ *(?:#{0,6}|[-*+]|\d{1,9}[.)]?|`{0,2})$/;
const HEADING = /^#{1,6} $/;
const BULLET = /^( *)[-*+] $/;
const NUMBER = /^( *)(\d{1,9}[.)]) $/;
const FENCE = /^ *```/;
const MAX_UNDECIDED_CHARS = 64;

/**
 * Markdown for a terminal, while it is being written: headings, bold, code, lists. Nothing that was written is changed
 * later, so a mark that is never closed ends with its line. Without colours the text stays as the model wrote it.
 * Control characters never get through.
 */
export class MarkdownStream {
  readonly #style: Style;
  readonly #rows: RowWriter;
  readonly #isRich: boolean;
  /** The beginning of a line whose kind is not known yet; undefined further on. */
  #head: string | undefined = '';
  #fenceLine: string | undefined;
  #isFenced = false;
  #isHeading = false;
  #isBold = false;
  #isCode = false;
  #stars = '';

  constructor({ style, columns, write }: MarkdownOptions) {
    this.#style = style;
    this.#rows = new RowWriter({ columns, write });
    this.#isRich = style.bold('x') !== 'x';
  }

  get isMidRow(): boolean {
    return this.#rows.isMidRow || this.#stars !== '' || (this.#head ?? '') !== '';
  }

  feed(text: string): void {
    for (const char of text) {
      if (char === '\n') this.#endLine();
      else if (isHarmless(char)) this.#take(char);
      else if (char !== '\r') this.#take('\ufffd');
    }
  }

  /** The text is over, or something else is to be written: what was held back comes out, and the row ends. */
  end(): void {
    if (this.isMidRow || this.#fenceLine !== undefined) this.#endLine();
  }

  #take(char: string): void {
    if (!this.#isRich) {
      this.#rows.put(char, plain);
    } else if (this.#fenceLine !== undefined) {
      this.#fenceLine += char;
    } else if (this.#head !== undefined) {
      this.#head += char;
      this.#decide(this.#head);
    } else if (this.#isFenced) {
      this.#rows.putVerbatim(char, this.#style.cyan);
    } else {
      this.#inline(char);
    }
  }

  /** Looks at the beginning of a line, once enough of it is there. */
  #decide(head: string): void {
    const isOpen = this.#isFenced ? /^ *`{0,2}$/.test(head) : UNDECIDED.test(head);
    if (isOpen && head.length < MAX_UNDECIDED_CHARS) return;
    this.#head = undefined;
    if (FENCE.test(head)) {
      this.#fenceLine = head;
    } else if (this.#isFenced) {
      for (const char of head) this.#rows.putVerbatim(char, this.#style.cyan);
    } else if (HEADING.test(head)) {
      this.#isHeading = true;
    } else if (!this.#beginItem(head)) {
      for (const char of head) this.#inline(char);
    }
  }

  #beginItem(head: string): boolean {
    const [, spaces = '', number] = BULLET.exec(head) ?? NUMBER.exec(head) ?? [];
    if (number === undefined && !BULLET.test(head)) return false;
    const mark = `${spaces}${number ?? '•'} `;
    for (const char of mark) this.#rows.putVerbatim(char, this.#style.dim);
    this.#rows.hangAt(mark.length);
    return true;
  }

  #inline(char: string): void {
    if (char === '`') {
      this.#releaseStars();
      this.#isCode = !this.#isCode;
    } else if (char === '*' && !this.#isCode && this.#stars.length < 2) {
      this.#stars += char;
      if (this.#isBold && this.#stars === '**') {
        this.#isBold = false;
        this.#stars = '';
      }
    } else {
      // Two stars open bold text only when it follows at once: 2 ** 3 is arithmetic.
      if (this.#stars === '**' && char !== ' ' && char !== '*') {
        this.#isBold = true;
        this.#stars = '';
      }
      this.#releaseStars();
      this.#rows.put(char, this.#paint);
    }
  }

  #releaseStars(): void {
    for (const star of this.#stars) this.#rows.put(star, this.#paint);
    this.#stars = '';
  }

  get #paint(): Paint {
    if (this.#isCode) return this.#style.cyan;
    return this.#isBold || this.#isHeading ? this.#style.bold : plain;
  }

  #endLine(): void {
    if (this.#fenceLine !== undefined) {
      for (const char of this.#fenceLine) this.#rows.putVerbatim(char, this.#style.dim);
      this.#isFenced = !this.#isFenced;
    } else if (this.#head !== undefined) {
      for (const char of this.#head) this.#inline(char);
    }
    this.#releaseStars();
    this.#rows.endLine();
    this.#fenceLine = undefined;
    this.#head = '';
    this.#isHeading = false;
    this.#isBold = false;
    this.#isCode = false;
  }
}

/** Escape sequences rewrite the screen, and marks of writing direction show text in another order than it has. */
function isHarmless(char: string): boolean {
  return char === '\t' || !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(char);
}
