import { defineCommand } from '../../program/command.ts';
import { changeSwitch, formatSwitched, toSwitchFields } from './switch-change.ts';

export const disableShell = defineCommand({
  usage: '',
  description:
    'Switches shell.exec off. The commands that were allowed stay listed for the next time. Through the running server,\n' +
    'else on the configuration.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw disable shell'],
  run: (_input, context) =>
    changeSwitch(context, 'shell', () => ({
      isOn: false,
      change: { shell: { enable_exec: false } },
      consequences: ['agents can run no commands, and are not told of shell.exec'],
    })),
  fields: toSwitchFields,
  text: formatSwitched,
});
