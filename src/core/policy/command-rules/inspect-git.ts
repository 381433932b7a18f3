import type { Word } from './command.ts';
import { type Inspection, opaque } from './inspection.ts';
import { withoutOptions } from './without-options.ts';

const GIT_OPTIONS = withoutOptions(
  [
    'exec',
    'exec-path',
    'config-env',
    'config',
    'upload-pack',
    'receive-pack',
    'extcmd',
    'template',
  ].concat('open-files-in-pager', 'paginate'),
  /^(?:-c|-x|-O|-u$|-p$)|(?:^|=)ext::/,
);
const GIT_COMMANDS = new Set(
  [
    'add am apply archive blame branch cat-file check-ignore checkout cherry-pick clean clone commit config',
    'describe diff fetch for-each-ref format-patch gc grep init log ls-files ls-remote ls-tree merge merge-base',
    'mv notes pull push range-diff rebase reflog remote reset restore rev-list rev-parse revert rm shortlog show',
    'show-ref sparse-checkout stash status submodule switch symbolic-ref tag version worktree',
  ]
    .join(' ')
    .split(' '),
);
/** A repository that is named by hand is used whatever it looks like, a planted one too. */
const OTHER_REPOSITORY = withoutOptions(['git-dir', 'work-tree', 'bare', 'namespace']);
const DAILY_OPTIONS = withoutOptions(
  ['upload-pack', 'receive-pack', 'exec', 'template'],
  /(?:^|=)ext::/,
);

export function inspectGit(args: readonly Word[]): Inspection {
  const subcommand = findGitSubcommand(args);
  if (subcommand === undefined) return opaque('the subcommand of git is not known');
  const { name, globals, rest } = subcommand;
  const early = GIT_OPTIONS(globals);
  if (early.opaque !== undefined) return early;
  const other = OTHER_REPOSITORY(globals);
  if (other.opaque !== undefined) return other;
  // Any other name may be an alias in the repository's own configuration, which can run a shell.
  if (name !== '' && !GIT_COMMANDS.has(name)) return opaque(`git ${name} may run other programs`);
  if (name === 'submodule' && rest.some((word) => word.text === 'foreach')) {
    return opaque('git submodule foreach runs commands');
  }
  if (name === 'config' && !/^(?:--get|--get-all|--list|-l|get|list)$/.test(rest[0]?.text ?? '')) {
    return opaque('git config can make git run programs');
  }
  // `-c`, `-p`, `-u` and `-x` are harmless in these, and daily bread.
  const isDaily =
    /^(?:add|branch|checkout|clean|commit|diff|log|push|show|stash|status|switch)$/.test(name);
  return isDaily ? DAILY_OPTIONS(rest) : GIT_OPTIONS(rest);
}

function findGitSubcommand(args: readonly Word[]) {
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as Word;
    if (!word.isLiteral) return undefined;
    if (word.text === '-C') at += 1;
    else if (word.text === '-c') return undefined;
    else if (!word.text.startsWith('-')) {
      return { name: word.text, globals: args.slice(0, at), rest: args.slice(at + 1) };
    }
  }
  return { name: '', globals: args, rest: [] };
}
