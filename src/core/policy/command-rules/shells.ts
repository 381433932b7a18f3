import type { Word } from './command.ts';
import { type Inspection, NOTHING, opaque } from './inspection.ts';
import { readOptions } from './read-options.ts';

/** Shells whose language the parser reads. Others (zsh, fish, ksh) differ in ways that would hide commands. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash', 'rbash']);

const OPTIONS = {
  flags: 'abcefhklmnpuvxBCEHPT',
  values: 'oO',
  longFlags: ['login', 'norc', 'noprofile', 'posix', 'restricted', 'verbose'],
};

/** The script of `sh -c` is judged instead of the shell; one that comes from elsewhere can't be seen. */
export function inspectShell(args: readonly Word[]): Inspection {
  const options = readOptions(args, OPTIONS);
  if (options === undefined) return opaque('an option of the shell is not known');
  const [first] = options.operands;
  // `+O` switches an option off and goes on with others.
  if (first?.isLiteral && /^[+-]/.test(first.text))
    return opaque('an option of the shell is not known');
  if (!options.given.has('c')) {
    // A script file is a program like any other: the rule that names it answers for it.
    return first === undefined ? opaque('the shell reads commands from its input') : NOTHING;
  }
  if (first === undefined || !first.isLiteral) return opaque('the script is not known');
  return { scripts: [first.text], isTransparent: true };
}
