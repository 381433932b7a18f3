import { renderBashCompletion } from '../completion/bash-completion.ts';
import { toCompletionTree } from '../completion/completion-tree.ts';
import { renderFishCompletion } from '../completion/fish-completion.ts';
import { renderZshCompletion } from '../completion/zsh-completion.ts';
import { defineCommand } from '../program/command.ts';
import { parseError } from '../program/errors.ts';

const SHELLS = {
  bash: renderBashCompletion,
  zsh: renderZshCompletion,
  fish: renderFishCompletion,
} as const;

type Shell = keyof typeof SHELLS;

export const completion = defineCommand({
  usage: Object.keys(SHELLS).join('|'),
  description:
    'Prints a script that makes a shell complete commands, options and their values. The script says how to load it;\n' +
    'make it again after an update of this program.',
  args: { min: 1, max: 1 },
  options: {},
  examples: [
    'source <(claw completion bash)',
    'source <(claw completion zsh)',
    'claw completion fish | source',
  ],
  choices: Object.keys(SHELLS),
  async run({ args: [name = ''] }, { commands }) {
    const shell = parseShell(name);
    return { shell, script: SHELLS[shell](toCompletionTree(await commands.describe())) };
  },
  fields: ({ shell, script }) => ({ shell, script }),
  text: ({ script }) => script,
});

function parseShell(name: string): Shell {
  if (Object.hasOwn(SHELLS, name)) return name as Shell;
  throw parseError(`unknown shell ${JSON.stringify(name)}`, {
    target: 'completion',
    hint: `usage: claw completion ${Object.keys(SHELLS).join('|')}`,
  });
}
