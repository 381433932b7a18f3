import type { JsonObject } from '../../../../core/json.ts';
import { defineCommand } from '../../program/command.ts';
import type { CliContext } from '../../program/context.ts';
import { parseError } from '../../program/errors.ts';
import { checkSandbox } from '../doctor/doctor-tool-checks.ts';
import {
  changeSwitch,
  formatSwitched,
  readSection,
  readTexts,
  type Switched,
  type SwitchPlan,
  toSwitchFields,
  unite,
} from './switch-change.ts';

const MAX_COMMANDS = 50;
const MAX_COMMAND_CHARS = 1_024;
const EVERY = '*';

export const enableShell = defineCommand({
  usage: '[COMMAND]…',
  description:
    'Switches shell.exec on, in a sandbox (bubblewrap unless another is configured), and says what follows from it. Each\n' +
    'COMMAND, its first words in quotes, may run from then on; without any, and with none listed before, a person is\n' +
    'asked about every command. "*" lets every command run that no other rule excepts. Doing it again is harmless.\n' +
    'Through the running server, else on the configuration.',
  args: { min: 0, max: MAX_COMMANDS },
  options: {},
  examples: ['claw enable shell', 'claw enable shell "git status" "npm test"'],
  async run({ args }, context) {
    const commands = args.map(parseCommand);
    const switched = await changeSwitch(context, 'shell', (config) => planShell(config, commands));
    return { ...switched, warnings: await findWarnings(context) } satisfies Switched;
  },
  fields: toSwitchFields,
  text: formatSwitched,
});

function parseCommand(given: string): string {
  const command = given.trim().replace(/\s+/g, ' ');
  const isSane = command !== '' && command.length <= MAX_COMMAND_CHARS && !/\p{Cc}/u.test(command);
  if (isSane) return command;
  throw parseError(`${JSON.stringify(given.slice(0, 100))} is no command`, {
    target: 'enable shell',
    hint: 'name its first words, as in "git status"',
  });
}

function planShell(config: JsonObject, commands: readonly string[]): SwitchPlan {
  const shell = readSection(config, 'shell');
  const { provider } = readSection(config, 'sandbox');
  const allowed = unite(readTexts(shell, 'allowed_commands'), commands);
  // Both at once would ask about everything all the same.
  const listed = readTexts(shell, 'ask_commands').filter(
    (command) => command !== EVERY || !commands.includes(EVERY),
  );
  const asked = allowed.length === 0 && listed.length === 0 ? [EVERY] : listed;
  const sandbox = provider === 'docker' ? 'docker' : 'bwrap';
  return {
    isOn: true,
    change: {
      shell: { enable_exec: true, allowed_commands: allowed, ask_commands: asked },
      sandbox: { active: true, provider: sandbox },
    },
    consequences: [
      `agents that may use shell.exec can run commands, each in a sandbox (${sandbox}) without network`,
      'commands read and write the whole workspace; nothing else of this machine can be written',
      ...describeRules(allowed, asked, readTexts(shell, 'denied_commands')),
      'claw disable shell takes it back',
    ],
  };
}

function describeRules(
  allowed: readonly string[],
  asked: readonly string[],
  denied: readonly string[],
): string[] {
  const asksAll = asked.includes(EVERY);
  const free = asksAll ? allowed.filter((command) => command !== EVERY) : allowed;
  const hasRest = !asksAll && !allowed.includes(EVERY);
  const hidesExcepted = !hasRest && (denied.length > 0 || (!asksAll && asked.length > 0));
  return [
    ...(free.length === 0
      ? []
      : [`without asking: ${free.includes(EVERY) ? 'every command' : free.join(', ')}`]),
    ...(asked.length === 0
      ? []
      : [`a person is asked about: ${asksAll ? 'every other command' : asked.join(', ')}`]),
    ...(denied.length === 0 ? [] : [`refused: ${denied.join(', ')}`]),
    ...(hasRest ? ['any other command is refused'] : []),
    // What could be any command could be one of those excepted.
    ...(hidesExcepted ? ['refused too: commands that hide what they run, as eval does'] : []),
  ];
}

/** A sandbox that can't start here makes every command fail: better known now. */
async function findWarnings({ parts, root }: CliContext): Promise<string[]> {
  const diagnosis = await parts.diagnose(root);
  const { sandbox } = await diagnosis.loadSettings();
  if (sandbox === undefined) return [];
  const verdict = checkSandbox(sandbox, await diagnosis.probeSandbox());
  return verdict.status === 'ok' ? [] : [`${verdict.summary}; to fix: ${verdict.fix ?? ''}`];
}
