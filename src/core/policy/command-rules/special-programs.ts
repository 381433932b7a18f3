import type { Word } from './command.ts';
import { inspectGit } from './inspect-git.ts';
import { type Inspect, type Inspection, NOTHING, opaque } from './inspection.ts';
import { couldBeOption, readOptions } from './read-options.ts';
import { isHarmlessVariable, isScriptVariable } from './variable-names.ts';
import { withoutOptions } from './without-options.ts';

const TAR_OPTIONS = [
  'checkpoint-action',
  'to-command',
  'use-compress-program',
  'info-script',
  'new-volume-script',
  'rsh-command',
  'rmt-command',
];

function inspectTar(args: readonly Word[]): Inspection {
  // The first word is a cluster of options even without a dash.
  if (/^[A-Za-z]*[IF]/.test(args[0]?.text ?? '')) return opaque('an option of tar runs a program');
  return withoutOptions(TAR_OPTIONS, /^-(?!-)\w*[IF]/)(args);
}

function inspectAwk(args: readonly Word[]): Inspection {
  const options = readOptions(args, { values: 'Fv' });
  const program = options?.operands[0];
  if (options === undefined || program === undefined)
    return opaque('an option of awk is not known');
  // Pipes and `system` run commands, redirections write files; a comparison with `>` is refused along with them.
  if (!program.isLiteral || /[|>@]|system|getline/.test(program.text)) {
    return opaque('the awk program may run commands or write files');
  }
  return NOTHING;
}

/** Printing and deleting lines, and substitution without the flags that run or write. */
const SED_SCRIPT =
  /^(?:(?:\d+|\$)?(?:,(?:\d+|\$))?[pdq=]|(?:\d+|\$)?(?:,(?:\d+|\$))?s([/|#,])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gpiI0-9]*)(?:;(?=.)|$)/;

function inspectSed(args: readonly Word[]): Inspection {
  const options = readOptions(args, {
    flags: 'nErszui',
    values: 'e',
    longFlags: ['quiet', 'silent', 'regexp-extended', 'in-place'],
  });
  if (options === undefined) return opaque('an option of sed is not known');
  const script = options.given.has('e') ? options.given.get('e') : options.operands[0];
  const count = args.filter((word) => /^-\w*e/.test(word.text)).length;
  // Options are read after the files too.
  const isLate = (word: Word) => couldBeOption(word) || word.text.startsWith('-');
  if (script === undefined || !script.isLiteral || count > 1 || options.operands.some(isLate)) {
    return opaque('the sed script is not known');
  }
  let rest = script.text;
  for (
    let found = SED_SCRIPT.exec(rest);
    found !== null && rest !== '';
    found = SED_SCRIPT.exec(rest)
  ) {
    rest = rest.slice(found[0].length);
  }
  return rest === '' ? NOTHING : opaque('the sed script may run commands or write files');
}

function inspectExport(args: readonly Word[]): Inspection {
  const names = args.map((word) => /^([A-Za-z_]\w*)(?:=|$)/.exec(word.bareStart)?.[1]);
  const isFine = names.every((name) => name !== undefined && isHarmlessVariable(name));
  return isFine ? NOTHING : opaque('a variable is set that may change what programs run');
}

function inspectRead(args: readonly Word[]): Inspection {
  const operands = readOptions(args, { flags: 'rs', values: 'dnNt' })?.operands;
  const isFine = operands?.every((word) => word.isLiteral && isScriptVariable(word.text));
  return isFine ? NOTHING : opaque('a variable is set that may change what programs run');
}

function inspectTest(args: readonly Word[]): Inspection {
  // `-v` evaluates a subscript in its operand, which can run commands.
  return args.some((word) => !word.isLiteral || word.text === '-v' || word.text === '-R')
    ? opaque('a test may evaluate its operand')
    : NOTHING;
}

function inspectPrintf([format]: readonly Word[]): Inspection {
  return format === undefined || (format.isLiteral && !format.text.startsWith('-'))
    ? NOTHING
    : opaque('printf may set a variable');
}

function inspectContainer(args: readonly Word[]): Inspection {
  const subcommand = args.find((word) => !word.text.startsWith('-'));
  const isPlain = args[0] === subcommand && subcommand?.isLiteral === true;
  return isPlain &&
    /^(?:ps|images|logs|version|info|inspect|stats|top|get|describe)$/.test(subcommand.text)
    ? NOTHING
    : opaque('it may run commands elsewhere');
}

/** Programs that run commands by some of their options or in their own language. */
export const SPECIAL_PROGRAMS: Readonly<Record<string, Inspect>> = {
  '[': inspectTest,
  awk: inspectAwk,
  declare: inspectExport,
  docker: inspectContainer,
  export: inspectExport,
  fd: withoutOptions(['exec', 'exec-batch'], /^-(?!-)\w*[xX]/),
  fdfind: withoutOptions(['exec', 'exec-batch'], /^-(?!-)\w*[xX]/),
  gawk: inspectAwk,
  git: inspectGit,
  kubectl: inspectContainer,
  local: inspectExport,
  make: withoutOptions(
    ['eval', 'file', 'makefile', 'include-dir'],
    /^(?:-[fIE]|SHELL=|.*SHELLFLAGS=)/,
  ),
  mawk: inspectAwk,
  nawk: inspectAwk,
  npm: withoutOptions(
    ['call', 'script-shell', 'node-options', 'prefix', 'globalconfig', 'userconfig'],
    /^-c/,
  ),
  npx: withoutOptions(['call', 'script-shell', 'node-options', 'package'], /^-[cp]/),
  podman: inspectContainer,
  printf: inspectPrintf,
  read: inspectRead,
  readonly: inspectExport,
  rg: withoutOptions(['pre', 'pre-glob', 'hostname-bin', 'search-zip'], /^-(?!-)\w*z/),
  rsync: withoutOptions(['rsh', 'rsync-path'], /^-(?!-)\w*e/),
  sed: inspectSed,
  sort: withoutOptions(['compress-program', 'output'], /^-(?!-)\w*[oT]/),
  split: withoutOptions(['filter']),
  tar: inspectTar,
  test: inspectTest,
  typeset: inspectExport,
  zip: withoutOptions(['unzip-command'], /^-(?!-)\w*T/),
};

/** Programs that run what nobody can see from outside; a person may allow one call, a rule never does. */
export const OPAQUE_PROGRAMS: ReadonlySet<string> = new Set(
  [
    '. alias at batch bind busybox bwrap chroot coproc complete compgen crontab csh dbus-run-session doas ed',
    'emacs enable entr eval ex expect fc firejail fish flock gdb getopts hash history ksh ld.so less let lldb',
    'ltrace lxc man mapfile mksh more nano nerdctl nsenter parallel perf pwsh readarray rlwrap runuser screen',
    'script set setpriv shopt source ssh sshpass start-stop-daemon strace su systemd-run tcsh telnet tmux toybox',
    'trap unbuffer unset unshare valgrind vi view vim vimdiff xvfb-run zsh scp sftp socat nc ncat netcat',
  ]
    .join(' ')
    .split(' '),
);
