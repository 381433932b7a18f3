import type { Word } from './command.ts';

/** What a command would run besides itself. */
export interface Inspection {
  /** Commands that it starts, as words. */
  readonly inner?: readonly (readonly Word[])[];
  /** Lines that it gives to a shell. */
  readonly scripts?: readonly string[];
  /** It only starts the inner command, so that a rule for that is enough. */
  readonly isTransparent?: boolean;
  /** Names that it sets in the environment of what it starts. */
  readonly assigned?: readonly string[];
  /** Why nobody can say what it would run or destroy. */
  readonly opaque?: string;
}

/** Looks at the words after the command's name. */
export type Inspect = (args: readonly Word[]) => Inspection;

export const NOTHING: Inspection = {};

export function opaque(reason: string): Inspection {
  return { opaque: reason };
}
