import type { InputView } from './screen.ts';
import { charWidth, textWidth } from './text-width.ts';

export interface InputLayout {
  readonly rows: readonly string[];
  readonly cursorRow: number;
  readonly cursorColumn: number;
}

/** Behind this many the region that is drawn again could be higher than the window. */
const MAX_ROWS = 8;
const CONTINUATION = '… ';

/** The text that is being typed, in rows, of which those around the cursor are shown. */
export function layoutInput(view: InputView, columns: number): InputLayout {
  const width = Math.max(8, columns - 1);
  const rows: string[] = [view.prompt];
  let column = textWidth(view.prompt);
  let cursor = { row: 0, column };
  let at = 0;
  for (const char of view.text) {
    const cells = char === '\n' ? 0 : charWidth(char);
    if (column + cells > width) {
      rows.push('');
      column = 0;
    }
    if (at === view.cursor) cursor = { row: rows.length - 1, column };
    at += char.length;
    if (char === '\n') {
      rows.push(CONTINUATION);
      column = CONTINUATION.length;
    } else {
      rows[rows.length - 1] += toVisible(char);
      column += cells;
    }
  }
  if (at <= view.cursor) cursor = { row: rows.length - 1, column };
  const first = Math.max(0, Math.min(cursor.row - MAX_ROWS + 1, rows.length - MAX_ROWS));
  return {
    rows: rows.slice(first, first + MAX_ROWS),
    cursorRow: cursor.row - first,
    cursorColumn: cursor.column,
  };
}

/** A pasted text may hold anything; what is shown of it must not move the cursor. */
function toVisible(char: string): string {
  if (char === '\t') return ' ';
  return /\p{Cc}/u.test(char) ? '\ufffd' : char;
}
