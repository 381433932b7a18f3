/** A stretch of text to replace. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Sticky: matches what still belongs to the secret should it go on after the text at hand. */
  readonly tail: RegExp;
}

/** `open`: more text is needed to tell. Only given while the text is not final. */
export type Finding = Span | 'open' | undefined;

export interface Source {
  readonly text: string;
  /** Whether the text ends here, or a stream may bring more of it. */
  readonly final: boolean;
  /** Where the next PEM end mark is, once asked for: looking for it from every start would be quadratic. */
  pemEnd: number | undefined;
}

export function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Whether a decision that looked at everything before `end` could fall otherwise with more text. */
export function reachesEnd(source: Source, end: number): boolean {
  return !source.final && end >= source.text.length;
}
