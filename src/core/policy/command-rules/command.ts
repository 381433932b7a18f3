/** One word after quotes are taken off. */
export interface Word {
  /** Only what is written; where `isLiteral` is false the shell makes something else of it. */
  readonly text: string;
  /** No expansion of any kind happens to it: the program gets exactly `text`. */
  readonly isLiteral: boolean;
  /** Written without any quote or backslash, so that it may be a reserved word. */
  readonly isBare: boolean;
  /** As much of its beginning as is written without quotes, backslashes and expansions. */
  readonly bareStart: string;
  /** The shell may make several words of it, or none: an expansion stands outside quotes. */
  readonly maySplit: boolean;
}

/** A program with its arguments, without anything around it. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  /** Names that are set in front of it, or for the shell itself when there are no words. */
  readonly assigned: readonly string[];
  /** Files that its redirections open for writing. */
  readonly writes: readonly Word[];
  /** Without words: what `&>` writes, which one shell takes for the end of a command and another for a part of it. */
  readonly followsCommand?: boolean;
}

/** Everything that a line would run, in no particular order; or why nobody can say. */
export type ParsedLine =
  | { readonly outcome: 'parsed'; readonly commands: readonly SimpleCommand[] }
  | { readonly outcome: 'unparseable'; readonly reason: string };

export function literalWord(text: string): Word {
  return { text, isLiteral: true, isBare: false, bareStart: '', maySplit: false };
}
