import type { Style } from '../print/style.ts';
import { charWidth, textWidth } from './text-width.ts';

type Align = 'left' | 'right' | 'center';

/** Columns between two cells: a line and a space on either side of it. */
const GAP = 3;
/** Narrower, and words stand under each other letter by letter. */
const MIN_CELL = 4;

/** The rows of a table for a terminal; undefined for lines that are none, or that it is too narrow for. */
export function renderTable(
  lines: readonly string[],
  { style, width }: { readonly style: Style; readonly width: number },
): string[] | undefined {
  const [head, marks, ...body] = lines.map(splitCells);
  if (head === undefined || marks === undefined || marks.length !== head.length) return undefined;
  if (!marks.every((mark) => /^:?-+:?$/.test(mark))) return undefined;
  const aligns = marks.map(toAlign);
  const rows = body.map((cells) => head.map((_, at) => toText(cells[at] ?? '')));
  const titles = head.map(toText);
  const widths = fitWidths([titles, ...rows], width - GAP * (head.length - 1));
  if (widths === undefined) return undefined;
  const line = (cells: readonly string[], paint: (text: string) => string) =>
    layRow(cells, { widths, aligns }).map((row) => row.map(paint).join(style.dim(' │ ')).trimEnd());
  const rule = style.dim(widths.map((one) => '─'.repeat(one)).join('─┼─'));
  return [...line(titles, style.bold), rule, ...rows.flatMap((row) => line(row, (text) => text))];
}

/** `| a | b \| c |`: a line between cells may be written as text. */
function splitCells(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function toAlign(mark: string): Align {
  if (!mark.endsWith(':')) return 'left';
  return mark.startsWith(':') ? 'center' : 'right';
}

/** Marks inside a cell would count as letters. */
function toText(cell: string): string {
  return cell
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/\[([^[\]]+)\]\(([^()\s]+)\)/g, '$1 ($2)')
    .replace(/<br\s*\/?>/gi, ' ')
    .replaceAll('\t', ' ');
}

function fitWidths(rows: readonly (readonly string[])[], room: number): number[] | undefined {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(1, ...rows.map((row) => textWidth(row[at] ?? ''))),
  );
  let excess = widths.reduce((sum, one) => sum + one, 0) - room;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= MIN_CELL) return undefined;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

/** A row of the table takes as many rows of the terminal as its longest cell. */
function layRow(
  cells: readonly string[],
  { widths, aligns }: { readonly widths: readonly number[]; readonly aligns: readonly Align[] },
): string[][] {
  const wrapped = cells.map((cell, at) => wrap(cell, widths[at] ?? 1));
  const height = Math.max(1, ...wrapped.map((rows) => rows.length));
  return Array.from({ length: height }, (_, row) =>
    wrapped.map((rows, at) => pad(rows[row] ?? '', widths[at] ?? 1, aligns[at] ?? 'left')),
  );
}

function wrap(text: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(/\s+/).flatMap((one) => cutWord(one, width))) {
    const joined = row === '' ? word : `${row} ${word}`;
    if (textWidth(joined) <= width) {
      row = joined;
      continue;
    }
    rows.push(row);
    row = word;
  }
  return [...rows, row];
}

function cutWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const char of word) {
    if (piece !== '' && textWidth(piece) + charWidth(char) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += char;
  }
  return [...pieces, piece];
}

function pad(text: string, width: number, align: Align): string {
  const space = Math.max(0, width - textWidth(text));
  const before = align === 'left' ? 0 : align === 'right' ? space : Math.floor(space / 2);
  return ' '.repeat(before) + text + ' '.repeat(space - before);
}
