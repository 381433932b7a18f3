import type { Style } from '../print/style.ts';
import { InlineWriter } from './inline-writer.ts';
import { renderTable } from './markdown-table.ts';
import { type Paint, RowWriter } from './row-writer.ts';

export interface MarkdownOptions {
  readonly style: Style;
  readonly columns: () => number;
  readonly write: (text: string) => void;
}

const plain: Paint = (text) => text;

/** What a line may begin with, as far as it matters, and the longest it may take to tell. */
const UNDECIDED = /^ *(?:#{0,6}|[-*+]|\d{1,9}[.)]?|`{0,2}|~{0,2}|(?:> ?)+)$/;
const HEADING = /^#{1,6} $/;
const BULLET = /^( *)[-*+] $/;
const NUMBER = /^( *)(\d{1,9}[.)]) $/;
const QUOTE = /^ *((?:> ?)+)/;
const FENCE = /^ *(`{3,}|~{3,})(.*)$/;
const MAX_UNDECIDED_CHARS = 64;

/** More than this is no table that somebody reads: it comes as it was written, and memory stays bounded. */
const MAX_TABLE_CHARS = 64 * 1024;

/**
 * Markdown for a terminal, while it is being written: headings, bold, code, lists, quotations, links, tables. Nothing
 * that was written is changed later: a mark that is never closed ends with its line, and a table is held back until it
 * is over. Without colours the text stays as the model wrote it. Control characters never get through.
 */
export class MarkdownStream {
  readonly #options: MarkdownOptions;
  readonly #style: Style;
  readonly #rows: RowWriter;
  readonly #inline: InlineWriter;
  readonly #isRich: boolean;
  /** The beginning of a line whose kind is not known yet; undefined further on. */
  #head: string | undefined = '';
  /** A line that means something as a whole only: of a fence, or of a table. */
  #whole: { readonly kind: 'fence' | 'table'; text: string } | undefined;
  /** What opened the code that the text is in. */
  #fence: string | undefined;
  #table: string[] = [];
  #tableChars = 0;

  constructor(options: MarkdownOptions) {
    const { style, columns, write } = options;
    this.#options = options;
    this.#style = style;
    this.#rows = new RowWriter({ columns, write });
    this.#inline = new InlineWriter(style, this.#rows);
    this.#isRich = style.bold('x') !== 'x';
  }

  get isMidRow(): boolean {
    const isHeld = this.#whole !== undefined || this.#table.length > 0 || this.#inline.isHolding;
    return this.#rows.isMidRow || isHeld || (this.#head ?? '') !== '';
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
    const isLineOpen = this.#rows.isMidRow || this.#inline.isHolding || (this.#head ?? '') !== '';
    if (isLineOpen || this.#whole !== undefined) this.#endLine();
    this.#endTable();
  }

  #take(char: string): void {
    if (!this.#isRich) {
      this.#rows.put(char, plain);
    } else if (this.#whole !== undefined) {
      this.#whole.text += char;
      if (this.#tableChars + this.#whole.text.length > MAX_TABLE_CHARS) this.#giveUpTable();
    } else if (this.#head !== undefined) {
      this.#head += char;
      this.#decide(this.#head);
    } else if (this.#fence !== undefined) {
      this.#rows.putVerbatim(char, this.#style.cyan);
    } else {
      this.#inline.put(char);
    }
  }

  /** Looks at the beginning of a line, once enough of it is there. */
  #decide(head: string): void {
    const isOpen = this.#fence ? /^ *(?:`{0,2}|~{0,2})$/.test(head) : UNDECIDED.test(head);
    if (isOpen && head.length < MAX_UNDECIDED_CHARS) return;
    this.#head = undefined;
    const isTable = this.#fence === undefined && /^ *\|$/.test(head);
    if (!isTable) this.#endTable();
    if (isTable || FENCE.test(head)) {
      this.#whole = { kind: isTable ? 'table' : 'fence', text: head };
    } else if (this.#fence !== undefined) {
      this.#putCode(head);
    } else if (HEADING.test(head)) {
      this.#inline.begin(this.#style.bold);
    } else if (!this.#beginQuote(head) && !this.#beginItem(head)) {
      this.#inline.putAll(head);
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

  /** A bar for each level, on every row that the line fills. */
  #beginQuote(head: string): boolean {
    const [all = '', marks] = QUOTE.exec(head) ?? [];
    if (marks === undefined) return false;
    const bars = '│ '.repeat(marks.replace(/ /g, '').length);
    for (const char of bars) this.#rows.putVerbatim(char, this.#style.dim);
    this.#rows.hangAt(bars.length, this.#style.dim(bars));
    this.#inline.putAll(head.slice(all.length));
    return true;
  }

  #putCode(text: string): void {
    for (const char of text) this.#rows.putVerbatim(char, this.#style.cyan);
  }

  #endLine(): void {
    if (this.#whole?.kind === 'table') {
      this.#table.push(this.#whole.text);
      this.#tableChars += this.#whole.text.length;
      this.#whole = undefined;
      this.#head = '';
      return;
    }
    if (this.#whole !== undefined) {
      this.#endFenceLine(this.#whole.text);
    } else if (this.#head !== undefined) {
      this.#endTable();
      if (this.#fence !== undefined) this.#putCode(this.#head);
      else if (!this.#beginQuote(this.#head)) this.#inline.putAll(this.#head);
    }
    this.#inline.endLine();
    this.#rows.endLine();
    this.#whole = undefined;
    this.#head = '';
  }

  /** Code ends at a fence like the one it began with, or a longer one. */
  #endFenceLine(line: string): void {
    const [, marks = '', rest = ''] = FENCE.exec(line) ?? [];
    const isEnd = this.#fence !== undefined && marks.startsWith(this.#fence) && rest.trim() === '';
    if (this.#fence !== undefined && !isEnd) {
      this.#putCode(line);
      return;
    }
    for (const char of line) this.#rows.putVerbatim(char, this.#style.dim);
    this.#fence = isEnd ? undefined : marks;
  }

  #endTable(): void {
    if (this.#table.length === 0) return;
    const { columns, write } = this.#options;
    const lines = this.#table;
    this.#table = [];
    this.#tableChars = 0;
    // The last column stays free, as in all rows.
    const rendered = renderTable(lines, { style: this.#style, width: columns() - 1 });
    for (const row of rendered ?? []) write(`${row}\n`);
    if (rendered === undefined) for (const line of lines) this.#putPlainLine(line);
  }

  #putPlainLine(line: string): void {
    this.#inline.putAll(line);
    this.#inline.endLine();
    this.#rows.endLine();
  }

  /** The line under way goes on as text. */
  #giveUpTable(): void {
    if (this.#whole?.kind !== 'table') return;
    const { text } = this.#whole;
    const lines = this.#table;
    this.#table = [];
    this.#tableChars = 0;
    for (const line of lines) this.#putPlainLine(line);
    this.#whole = undefined;
    this.#inline.putAll(text);
  }
}

/** Escape sequences rewrite the screen, and marks of writing direction show text in another order than it has. */
function isHarmless(char: string): boolean {
  return char === '\t' || !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(char);
}
