import type { Style } from '../print/style.ts';
import type { Paint, RowWriter } from './row-writer.ts';

const plain: Paint = (text) => text;

/** `[text](target`, as far as it may have come; what can't become a link any more is text. */
const LINK_BEGUN = /^\[[^[\]]*(?:\](?:\([^()\s]*)?)?$/;
const LINK = /^\[([^[\]]*)\]\(([^()\s]*)\)$/;
/** Longer, and somebody reads on too late: it is shown as it is written. */
const MAX_LINK_CHARS = 2_048;

/** What stands within a line: bold text, code, links. A mark that is never closed ends with its line. */
export class InlineWriter {
  readonly #style: Style;
  readonly #rows: RowWriter;
  #base: Paint = plain;
  #isBold = false;
  #isCode = false;
  #stars = '';
  #link = '';

  constructor(style: Style, rows: RowWriter) {
    this.#style = style;
    this.#rows = rows;
  }

  get isHolding(): boolean {
    return this.#stars !== '' || this.#link !== '';
  }

  /** How the line is painted where nothing else is said: a heading, a quotation. */
  begin(base: Paint): void {
    this.#base = base;
  }

  putAll(text: string): void {
    for (const char of text) this.put(char);
  }

  put(char: string): void {
    if (this.#link === '' && (char !== '[' || this.#isCode)) {
      this.#mark(char);
      return;
    }
    this.#link += char;
    const [, text = '', target] = LINK.exec(this.#link) ?? [];
    if (target !== undefined) this.#showLink(text, target);
    else if (!LINK_BEGUN.test(this.#link) || this.#link.length > MAX_LINK_CHARS) this.#dropLink();
  }

  endLine(): void {
    this.#dropLink();
    this.#releaseStars();
    this.#base = plain;
    this.#isBold = false;
    this.#isCode = false;
  }

  #showLink(text: string, target: string): void {
    this.#link = '';
    this.#releaseStars();
    const label = text.trim();
    for (const char of label) this.#rows.put(char, this.#style.cyan);
    if (target === '' || label === target) return;
    const shown = label === '' ? target : ` (${target})`;
    for (const char of shown) this.#rows.put(char, this.#style.dim);
  }

  /** It was no link: its characters count as any others, and the last of them may begin one. */
  #dropLink(): void {
    const text = this.#link;
    this.#link = '';
    const last = text.slice(1).lastIndexOf('[') + 1;
    const kept = last > 0 && !this.#isCode ? last : text.length;
    for (const char of text.slice(0, kept)) this.#mark(char);
    this.#link = text.slice(kept);
  }

  #mark(char: string): void {
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
    return this.#isBold ? this.#style.bold : this.#base;
  }
}
