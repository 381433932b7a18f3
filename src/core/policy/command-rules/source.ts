import { refuse } from './unparseable.ts';

/** The text being parsed, with a place in it. Line continuations are gone before anybody looks. */
export interface Source {
  peek(ahead?: number): string;
  next(): string;
  startsWith(text: string): boolean;
  skip(count: number): void;
  /** The rest of the current line, without its end. */
  peekLine(): string;
  takeLine(): string;
  readonly isAtEnd: boolean;
}

export function createSource(text: string): Source {
  let at = 0;
  return {
    peek: (ahead = 0) => text[at + ahead] ?? '',
    next() {
      const char = text[at];
      if (char === undefined) return refuse('it ends too early');
      at += 1;
      return char;
    },
    startsWith: (part) => text.startsWith(part, at),
    skip(count) {
      at += count;
    },
    peekLine() {
      const end = text.indexOf('\n', at);
      return text.slice(at, end === -1 ? text.length : end);
    },
    takeLine() {
      const end = text.indexOf('\n', at);
      const line = text.slice(at, end === -1 ? text.length : end);
      at = end === -1 ? text.length : end + 1;
      return line;
    },
    get isAtEnd() {
      return at >= text.length;
    },
  };
}
