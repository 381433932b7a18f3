import { literalWord, type Word } from './command.ts';
import { type Inspect, type Inspection, NOTHING, opaque } from './inspection.ts';
import { couldBeOption, type OptionSpec, readOptions } from './read-options.ts';

interface Launcher extends OptionSpec {
  /** Operands of its own before the command. */
  readonly skip?: number;
  readonly isTransparent: boolean;
}

function launcher(spec: Launcher): Inspect {
  return (args) => {
    const options = readOptions(args, spec);
    if (options === undefined) return opaque('an option is not known');
    const own = options.operands.slice(0, spec.skip ?? 0);
    if (own.some((word) => !word.isLiteral)) return opaque('an operand is not known');
    const inner = options.operands.slice(spec.skip ?? 0);
    return inner.length === 0 ? NOTHING : { inner: [inner], isTransparent: spec.isTransparent };
  };
}

/** Options that take variables away are not known here: some keep git from running what a repository names. */
const ENV: OptionSpec = {
  flags: '0',
  values: 'C',
  longFlags: ['null'],
  longValues: ['chdir'],
};

function inspectEnv(args: readonly Word[]): Inspection {
  const options = readOptions(args, ENV);
  if (options === undefined) return opaque('an option of env is not known');
  const assigned: string[] = [];
  if (options.operands[0]?.text === '-') return opaque('env - takes all variables away');
  let at = 0;
  for (; at < options.operands.length; at += 1) {
    const name = /^([^=]+)=/.exec(options.operands[at]?.text ?? '')?.[1];
    if (name === undefined) break;
    assigned.push(name);
  }
  const inner = options.operands.slice(at);
  return { inner: inner.length === 0 ? [] : [inner], assigned, isTransparent: true };
}

function inspectCommand(args: readonly Word[]): Inspection {
  // `command -v` only looks a name up.
  if (args[0]?.isLiteral && /^-[vV]$/.test(args[0].text)) return NOTHING;
  return launcher({ flags: 'p', isTransparent: true })(args);
}

const XARGS: OptionSpec = {
  flags: '0rtx',
  values: 'adEILnPs',
  longFlags: ['null', 'no-run-if-empty', 'verbose', 'exit'],
  longValues: [
    'arg-file',
    'delimiter',
    'max-args',
    'max-procs',
    'max-lines',
    'max-chars',
    'replace',
  ],
};

/** What comes from standard input, which nobody has read yet. */
const FROM_INPUT: Word = { ...literalWord('$@'), isLiteral: false, maySplit: true };

function inspectXargs(args: readonly Word[]): Inspection {
  const options = readOptions(args, XARGS);
  if (options === undefined) return opaque('an option of xargs is not known');
  const { given, operands } = options;
  const placeholder = given.get('I') ?? given.get('replace');
  if (operands.length === 0) return NOTHING;
  if (placeholder === undefined) return { inner: [[...operands, FROM_INPUT]] };
  if (placeholder.text === '') return opaque('a placeholder is not known');
  return { inner: [fillPlaceholder(operands, placeholder.text)] };
}

/** Words with the placeholder in them become something that is not known yet. */
function fillPlaceholder(words: readonly Word[], placeholder: string): readonly Word[] {
  return words.map((word) =>
    word.text.includes(placeholder) ? { ...word, isLiteral: false, bareStart: '' } : word,
  );
}

const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const FIND_CHANGES = new Set(['-delete', '-fprint', '-fprint0', '-fprintf', '-fls']);

function inspectFind(args: readonly Word[]): Inspection {
  const inner: (readonly Word[])[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as Word;
    if (couldBeOption(word)) return opaque('an argument of find is not known');
    if (FIND_CHANGES.has(word.text)) return opaque(`find ${word.text} changes files`);
    if (!FIND_RUNS.has(word.text)) continue;
    const end = args.findIndex(
      (other, index) =>
        index > at && (other.text === ';' || (other.text === '+' && index > at + 1)),
    );
    if (end === -1) return opaque('a command of find does not end');
    inner.push(fillPlaceholder(args.slice(at + 1, end), '{}'));
    at = end;
  }
  return { inner };
}

function inspectWatch(args: readonly Word[]): Inspection {
  const options = readOptions(args, { flags: 'bcdegptx', values: 'n' });
  if (options === undefined) return opaque('an option of watch is not known');
  if (options.operands.some((word) => !word.isLiteral))
    return opaque('watch runs something unknown');
  if (options.given.has('x')) return { inner: [options.operands] };
  return { scripts: [options.operands.map((word) => word.text).join(' ')] };
}

/** Programs whose work is to start another one, and whose other one can be found. */
export const LAUNCHERS: Readonly<Record<string, Inspect>> = {
  env: inspectEnv,
  command: inspectCommand,
  xargs: inspectXargs,
  find: inspectFind,
  watch: inspectWatch,
  builtin: launcher({ isTransparent: true }),
  exec: launcher({ flags: 'l', values: 'a', isTransparent: true }),
  ionice: launcher({ flags: 't', values: 'cn', isTransparent: true }),
  nice: launcher({
    flags: '0123456789',
    values: 'n',
    longValues: ['adjustment'],
    isTransparent: true,
  }),
  nohup: launcher({ isTransparent: true }),
  setsid: launcher({ flags: 'cfw', isTransparent: true }),
  stdbuf: launcher({
    values: 'ioe',
    longValues: ['input', 'output', 'error'],
    isTransparent: true,
  }),
  sudo: launcher({ flags: 'nEH', values: 'ug', isTransparent: false }),
  time: launcher({ flags: 'pv', isTransparent: true }),
  timeout: launcher({
    flags: 'v',
    values: 'ks',
    longFlags: ['foreground', 'preserve-status', 'verbose'],
    longValues: ['kill-after', 'signal'],
    skip: 1,
    isTransparent: true,
  }),
};
