import { readTyped } from './multi-line.ts';

/** A key as `node:readline` reports it. */
export interface Key {
  readonly sequence?: string | undefined;
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

export type EditorAction =
  | { readonly kind: 'submit'; readonly message: string; readonly typed: string }
  | { readonly kind: 'complete' }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'end' }
  | { readonly kind: 'clear_screen' }
  | { readonly kind: 'redraw' };

export interface LineEditorOptions {
  /** Oldest first. Looked at when somebody goes back in it. */
  readonly history: () => readonly string[];
  readonly maxChars: number;
}

const REDRAW: EditorAction = { kind: 'redraw' };

/** The line that is being typed, which may have several rows. Knows keys, and nothing of screens. */
export class LineEditor {
  readonly #options: LineEditorOptions;
  #text = '';
  #cursor = 0;
  /** How far back in the history; 0 is what is being typed. */
  #back = 0;
  #draft = '';
  #isPasting = false;

  constructor(options: LineEditorOptions) {
    this.#options = options;
  }

  get text(): string {
    return this.#text;
  }

  get cursor(): number {
    return this.#cursor;
  }

  replace(text: string): void {
    this.#text = text.slice(0, this.#options.maxChars);
    this.#cursor = this.#text.length;
  }

  clear(): void {
    this.replace('');
    this.#back = 0;
  }

  /** Undefined for keys that mean nothing here. */
  press(key: Key): EditorAction | undefined {
    const { name = '', ctrl = false, meta = false } = key;
    if (name === 'paste-start' || name === 'paste-end') {
      this.#isPasting = name === 'paste-start';
      return undefined;
    }
    if (this.#isPasting) return this.#insert((key.sequence ?? '').replace(/\r/g, '\n'));
    if (name === 'return' || name === 'enter') return meta ? this.#insert('\n') : this.#enter();
    if (ctrl) return this.#control(name);
    if (meta) return this.#moveByWord(name);
    return this.#plain(name) ?? this.#insert(printable(key));
  }

  #enter(): EditorAction {
    const typed = readTyped(this.#text);
    if (!typed.isWhole) {
      this.replace(typed.text);
      return REDRAW;
    }
    const whole = { kind: 'submit', message: typed.message, typed: this.#text } as const;
    this.clear();
    return whole;
  }

  #control(name: string): EditorAction | undefined {
    switch (name) {
      case 'c':
        return { kind: 'interrupt' };
      case 'd':
        return this.#text === '' ? { kind: 'end' } : this.#cut(this.#cursor, this.#right());
      case 'a':
        return this.#move(this.#lineStart());
      case 'e':
        return this.#move(this.#lineEnd());
      case 'b':
        return this.#move(this.#left());
      case 'f':
        return this.#move(this.#right());
      case 'h':
        return this.#cut(this.#left(), this.#cursor);
      case 'k':
        return this.#cut(this.#cursor, this.#lineEnd());
      case 'u':
        return this.#cut(this.#lineStart(), this.#cursor);
      case 'w':
        return this.#cut(this.#wordLeft(), this.#cursor);
      case 'p':
        return this.#recall(1);
      case 'n':
        return this.#recall(-1);
      case 'left':
        return this.#move(this.#wordLeft());
      case 'right':
        return this.#move(this.#wordRight());
      case 'l':
        return { kind: 'clear_screen' };
      default:
        return undefined;
    }
  }

  #plain(name: string): EditorAction | undefined {
    switch (name) {
      case 'tab':
        return { kind: 'complete' };
      case 'backspace':
        return this.#cut(this.#left(), this.#cursor);
      case 'delete':
        return this.#cut(this.#cursor, this.#right());
      case 'left':
        return this.#move(this.#left());
      case 'right':
        return this.#move(this.#right());
      case 'home':
        return this.#move(this.#lineStart());
      case 'end':
        return this.#move(this.#lineEnd());
      case 'up':
        return this.#moveUp();
      case 'down':
        return this.#moveDown();
      default:
        return undefined;
    }
  }

  #moveByWord(name: string): EditorAction | undefined {
    if (name === 'b' || name === 'left') return this.#move(this.#wordLeft());
    if (name === 'f' || name === 'right') return this.#move(this.#wordRight());
    if (name === 'd') return this.#cut(this.#cursor, this.#wordRight());
    return name === 'backspace' ? this.#cut(this.#wordLeft(), this.#cursor) : undefined;
  }

  #insert(text: string): EditorAction | undefined {
    if (text === '' || this.#text.length + text.length > this.#options.maxChars) return undefined;
    this.#text = this.#text.slice(0, this.#cursor) + text + this.#text.slice(this.#cursor);
    this.#cursor += text.length;
    return REDRAW;
  }

  #cut(from: number, to: number): EditorAction {
    this.#text = this.#text.slice(0, from) + this.#text.slice(to);
    this.#cursor = from;
    return REDRAW;
  }

  #move(to: number): EditorAction {
    this.#cursor = to;
    return REDRAW;
  }

  /** Between the rows of the text; at its first or last row through the history. */
  #moveUp(): EditorAction | undefined {
    const start = this.#lineStart();
    if (start === 0) return this.#recall(1);
    const before = this.#text.slice(0, start - 1).lastIndexOf('\n') + 1;
    return this.#move(this.#settle(Math.min(before + this.#cursor - start, start - 1)));
  }

  #moveDown(): EditorAction | undefined {
    const end = this.#lineEnd();
    if (end === this.#text.length) return this.#recall(-1);
    const next = this.#text.indexOf('\n', end + 1);
    const last = next === -1 ? this.#text.length : next;
    return this.#move(this.#settle(Math.min(end + 1 + this.#cursor - this.#lineStart(), last)));
  }

  #recall(by: number): EditorAction | undefined {
    const history = this.#options.history();
    const back = this.#back + by;
    if (back < 0 || back > history.length) return undefined;
    if (this.#back === 0) this.#draft = this.#text;
    this.replace(back === 0 ? this.#draft : (history[history.length - back] ?? ''));
    this.#back = back;
    return REDRAW;
  }

  #left(): number {
    const before = this.#text.slice(Math.max(0, this.#cursor - 2), this.#cursor);
    return this.#cursor - lengthOf(Array.from(before).at(-1));
  }

  #right(): number {
    return this.#cursor + lengthOf(Array.from(this.#text.slice(this.#cursor, this.#cursor + 2))[0]);
  }

  #lineStart(): number {
    return this.#text.slice(0, this.#cursor).lastIndexOf('\n') + 1;
  }

  #lineEnd(): number {
    const at = this.#text.indexOf('\n', this.#cursor);
    return at === -1 ? this.#text.length : at;
  }

  #wordLeft(): number {
    return this.#text.slice(0, this.#cursor).replace(/\S+\s*$|\s+$/, '').length;
  }

  #wordRight(): number {
    const [word = ''] = /^\s*\S*/.exec(this.#text.slice(this.#cursor)) ?? [];
    return this.#cursor + word.length;
  }

  /** Never between the halves of a character. */
  #settle(at: number): number {
    const code = this.#text.charCodeAt(at);
    return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
  }
}

function lengthOf(char: string | undefined): number {
  return char?.length ?? 0;
}

/** Keys with a name of their own have sequences that must not end up in the text. */
function printable({ sequence = '' }: Key): string {
  return /^\P{Cc}+$/u.test(sequence) ? sequence : '';
}
