import type { ScreenOptions } from './drawn-screen.ts';
import type { InputView, Screen } from './screen.ts';

const ERASE_LAST = '\b \b';

/** For terminals that can only print: everything is written once, in order, also what is typed. */
export function createPlainScreen({ write, columns }: ScreenOptions): Screen {
  let isMidRow = false;
  /** What stands in the last row of what was typed; undefined when something else was printed since. */
  let echoed: InputView | undefined;
  let isClosed = false;

  function print(text: string): void {
    if (text === '' || isClosed) return;
    write(text);
    isMidRow = !text.endsWith('\n');
  }

  function beginRow(): void {
    if (isMidRow) print('\n');
    echoed = undefined;
  }

  return {
    canRedraw: false,
    columns,
    write(text) {
      if (echoed !== undefined) beginRow();
      print(text);
    },
    line(text) {
      beginRow();
      print(`${text}\n`);
    },
    status() {},
    input(view) {
      const known = echoed?.prompt === view.prompt ? echoed.text : undefined;
      if (known === undefined) {
        beginRow();
        print(view.prompt + toEcho(view.text));
      } else if (view.text.startsWith(known)) {
        print(toEcho(view.text.slice(known.length)));
      } else if (known.startsWith(view.text) && !known.slice(view.text.length).includes('\n')) {
        print(ERASE_LAST.repeat(Array.from(known.slice(view.text.length)).length));
      } else {
        beginRow();
        print(view.prompt + toEcho(view.text));
      }
      echoed = view;
    },
    submit: beginRow,
    // Nothing that was printed can be taken back.
    clear() {},
    close() {
      beginRow();
      isClosed = true;
    },
  };
}

function toEcho(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, ' ').replace(/\n/g, '\n… ');
}
