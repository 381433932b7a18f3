import { literalWord, type SimpleCommand, type Word } from './command.ts';
import { type Inspection, opaque } from './inspection.ts';
import { LAUNCHERS } from './launchers.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { inspectShell, SHELLS } from './shells.ts';
import { OPAQUE_PROGRAMS, SPECIAL_PROGRAMS } from './special-programs.ts';
import { isHarmlessVariable, isScriptVariable } from './variable-names.ts';

/** One thing that has to be allowed for the whole to be. */
export type Part =
  /** A rule must allow it, unless it only starts another part. */
  | { readonly kind: 'command'; readonly words: readonly Word[]; readonly needsRule: boolean }
  /** A redirection, as the command `> file`. */
  | {
      readonly kind: 'write';
      readonly words: readonly Word[];
      readonly target: Word;
      /** It belongs to a command, which a rule has to allow. */
      readonly hasCommand: boolean;
    }
  | { readonly kind: 'opaque'; readonly words: readonly Word[]; readonly reason: string };

const MAX_DEPTH = 8;
const MAX_PARTS = 200;

/** Everything that the commands would run, with the commands inside launchers, shells and options. */
export function expandCommands(commands: readonly SimpleCommand[]): readonly Part[] {
  const parts: Part[] = [];
  for (const command of commands) expand(parts, command, 0);
  return parts;
}

export function expandLine(line: string, parts: Part[] = [], depth = 0): readonly Part[] {
  const parsed = parseCommandLine(line);
  if (parsed.outcome === 'unparseable') {
    parts.push({ kind: 'opaque', words: [literalWord(line)], reason: parsed.reason });
  } else {
    for (const command of parsed.commands) expand(parts, command, depth);
  }
  return parts;
}

function expand(parts: Part[], command: SimpleCommand, depth: number): void {
  const { words, assigned, writes, followsCommand = false } = command;
  const [name, ...args] = words;
  const hasCommand = name !== undefined || followsCommand;
  for (const target of writes) {
    parts.push({ kind: 'write', words: [literalWord('>'), target], target, hasCommand });
  }
  const mayAssign = name === undefined ? isScriptVariable : isHarmlessVariable;
  const badName = assigned.find((variable) => !mayAssign(variable));
  if (badName !== undefined) {
    const reason = `setting ${badName} may change what programs run`;
    parts.push({ kind: 'opaque', words, reason });
  }
  if (name === undefined) return;
  if (depth > MAX_DEPTH || parts.length > MAX_PARTS) {
    parts.push({ kind: 'opaque', words, reason: 'it runs too many commands inside others' });
    return;
  }
  const inspection = inspect(name, args);
  const { inner = [], scripts = [] } = inspection;
  const isTransparent =
    inspection.isTransparent === true &&
    inner.length + scripts.length > 0 &&
    isSystemProgram(name.text);
  // First, since it is the better answer: a rule for this command would not help.
  if (inspection.opaque !== undefined) {
    parts.push({ kind: 'opaque', words, reason: inspection.opaque });
  }
  parts.push({ kind: 'command', words, needsRule: !isTransparent });
  for (const innerWords of inner) {
    const within = { words: innerWords, assigned: inspection.assigned ?? [], writes: [] };
    expand(parts, within, depth + 1);
  }
  for (const script of scripts) expandLine(script, parts, depth + 1);
}

function inspect(name: Word, args: readonly Word[]): Inspection {
  if (!name.isLiteral) return opaque('the name of the command is not known');
  const program = programName(name.text);
  if (SHELLS.has(program)) return inspectShell(args);
  if (OPAQUE_PROGRAMS.has(program) || /^ld-.*\.so/.test(program)) {
    return opaque(`${program} runs what can't be seen from outside`);
  }
  const known = Object.hasOwn(LAUNCHERS, program) ? LAUNCHERS : SPECIAL_PROGRAMS;
  return Object.hasOwn(known, program) ? (known[program]?.(args) ?? {}) : {};
}

const SYSTEM_PROGRAM = /^(?:\/(?:usr\/)?bin\/)?[^/]+$/;

/** Whether a name means the system's own program: `./env` is whatever somebody put there under that name. */
function isSystemProgram(command: string): boolean {
  return SYSTEM_PROGRAM.test(command);
}

/** A path hides no launcher: `/usr/bin/env` is `env`. */
export function programName(command: string): string {
  return command.slice(command.lastIndexOf('/') + 1);
}
