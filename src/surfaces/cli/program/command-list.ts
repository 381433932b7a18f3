import type { JsonObject } from '../../../core/json.ts';
import type { Live } from '../live.ts';
import type { Failure } from './failure.ts';

/** A command as others speak of it. */
export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  readonly group: string;
  /** The file that defines it. */
  readonly source: string;
}

/** What may be written behind a command's name. */
export interface CommandGrammar extends ListedCommand {
  readonly options: readonly OptionGrammar[];
  /** What its first argument may be, where that is known. */
  readonly choices: readonly string[];
}

export interface OptionGrammar {
  readonly name: string;
  readonly short: string | undefined;
  readonly summary: string;
  /** What its value is called; undefined for a flag. */
  readonly value: string | undefined;
  readonly choices: readonly string[];
}

/** The commands of this program, for those of them that talk about others: importing the table would be a circle. */
export interface CommandList {
  list(): readonly ListedCommand[];
  /** Loads every command. */
  describe(): Promise<readonly CommandGrammar[]>;
  /** Does what a command line says; what it has to say meanwhile goes to `live`. Throws what the command throws. */
  execute(argv: readonly string[], live: Live): Promise<ExecutedCommand>;
}

export interface ExecutedCommand {
  readonly fields: JsonObject;
  readonly failure: Failure | undefined;
  readonly text: string;
}
