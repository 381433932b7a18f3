import { stripVTControlCharacters } from 'node:util';
import { type InputLayout, layoutInput } from './layout-input.ts';
import type { InputView, Screen } from './screen.ts';
import { textWidth } from './text-width.ts';

export interface ScreenOptions {
  readonly write: (text: string) => void;
  readonly columns: () => number;
}

const CLEAR_SCREEN = '\u001b[2J\u001b[H';
const CLEAR_BELOW = '\u001b[J';
const up = (rows: number) => (rows > 0 ? `\u001b[${rows}A` : '');
const right = (columns: number) => (columns > 0 ? `\u001b[${columns}C` : '');

/**
 * A conversation that grows above a region which is drawn again and again: the row under way, what is going on, and
 * what is being typed. Rows that are complete are the terminal's own and scroll as any other.
 */
export function createDrawnScreen(options: ScreenOptions): Screen {
  let partial = '';
  let status: string | undefined;
  let view: InputView = { prompt: '', text: '', cursor: 0 };
  /** The rows that stand below the conversation, and where among them the cursor is. */
  let drawn: Drawn = { rows: [''], cursorRow: 0, cursorColumn: 0 };
  let isClosed = false;

  function draw(complete: string): void {
    if (isClosed) return;
    const columns = options.columns();
    const erase = `\r${up(rowsAboveCursor(drawn, columns))}${CLEAR_BELOW}`;
    drawn = arrange(partial, status, layoutInput(view, columns));
    options.write(erase + complete + placed(drawn));
  }

  function append(text: string): void {
    const end = text.lastIndexOf('\n') + 1;
    const complete = end === 0 ? '' : partial + text.slice(0, end);
    partial = end === 0 ? partial + text : text.slice(end);
    draw(complete);
  }

  return {
    canRedraw: true,
    columns: options.columns,
    write: append,
    // Above a row under way, which goes on below it.
    line: (text) => draw(`${text}\n`),
    status(text) {
      if (text === status) return;
      status = text;
      draw('');
    },
    input(next) {
      view = next;
      draw('');
    },
    submit() {
      view = { ...view, text: '', cursor: 0 };
      draw('');
    },
    clear() {
      if (isClosed) return;
      drawn = arrange(partial, status, layoutInput(view, options.columns()));
      options.write(CLEAR_SCREEN + placed(drawn));
    },
    close() {
      if (isClosed) return;
      const erase = `\r${up(rowsAboveCursor(drawn, options.columns()))}${CLEAR_BELOW}`;
      isClosed = true;
      options.write(erase + (partial === '' ? '' : `${partial}\n`));
    },
  };
}

type Drawn = InputLayout;

function arrange(partial: string, status: string | undefined, input: InputLayout): Drawn {
  const above = [...(partial === '' ? [] : [partial]), ...(status === undefined ? [] : [status])];
  return {
    rows: [...above, ...input.rows],
    cursorRow: above.length + input.cursorRow,
    cursorColumn: input.cursorColumn,
  };
}

function placed({ rows, cursorRow, cursorColumn }: Drawn): string {
  return `${rows.join('\n')}\r${up(rows.length - 1 - cursorRow)}${right(cursorColumn)}`;
}

/** A window that was made narrower has broken rows in two. */
function rowsAboveCursor({ rows, cursorRow, cursorColumn }: Drawn, columns: number): number {
  const broken = (width: number) => Math.max(0, Math.ceil(width / columns) - 1);
  return rows
    .slice(0, cursorRow)
    .reduce(
      (sum, row) => sum + 1 + broken(textWidth(stripVTControlCharacters(row))),
      broken(cursorColumn),
    );
}
