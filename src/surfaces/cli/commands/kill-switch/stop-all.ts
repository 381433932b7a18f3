import { turnKillSwitch } from '../../../../operations/kill-switch/kill-switch.ts';
import { askKillSwitch } from '../../ask/ask-kill-switch.ts';
import { defineCommand } from '../../program/command.ts';
import { describeSwitch, encodeSwitch } from './kill-switch-text.ts';

export const stopAll = defineCommand({
  usage: '[--reason TEXT]',
  description:
    'The kill switch: no model and no tool is called any more, on any node, until claw resume-all. Runs under way are\n' +
    'given back and go on where they were then; new ones are refused. Survives restarts. Through the running server,\n' +
    'else in the store, where every node finds it within a second.',
  args: { min: 0, max: 0 },
  options: { reason: { kind: 'text', value: 'TEXT', summary: 'why, for those who come next' } },
  examples: ['claw stop-all', 'claw stop-all --reason "an agent sends mail to everybody"'],
  run: ({ options: { reason = '' } }, context) =>
    askKillSwitch(context, turnKillSwitch, { body: { on: true, reason } }),
  fields: encodeSwitch,
  text: ({ answer }, style) => describeSwitch(answer, style),
});
