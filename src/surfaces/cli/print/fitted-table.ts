import { charWidth, textWidth } from '../chat/text-width.ts';
import type { Style } from './style.ts';

export interface FittedTable {
  readonly headers: readonly string[];
  /** Cells of one line each. */
  readonly rows: readonly (readonly string[])[];
  /** Columns that may be cut, by their place; the others stay whole. */
  readonly cuttable: readonly number[];
}

const GAP = 2;
/** Narrower, and a column says nothing any more. */
const MIN_COLUMN = 8;

/** A table under its headings, as wide as the terminal at most where its columns allow that. */
export function formatFittedTable(table: FittedTable, style: Style): string {
  const { headers, rows } = table;
  const widths = fitWidths(table, style.width);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => padTo(cutTo(cell, widths[at] ?? 0), widths[at] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd();
  return [style.dim(line(headers)), ...rows.map(line)].join('\n');
}

function fitWidths({ headers, rows, cuttable }: FittedTable, width: number): number[] {
  const widths = headers.map((header, at) =>
    Math.max(textWidth(header), ...rows.map((row) => textWidth(row[at] ?? ''))),
  );
  const total = () => widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1));
  let excess = total() - width;
  while (excess > 0) {
    const widest = cuttable
      .filter((at) => (widths[at] ?? 0) > MIN_COLUMN)
      .sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

/** By columns, not characters: some take two. */
function cutTo(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const char of text) {
    used += charWidth(char);
    if (used > width) break;
    kept += char;
  }
  return `${kept}…`;
}

function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
