import { turnKillSwitch } from '../../../../operations/kill-switch/kill-switch.ts';
import { askKillSwitch } from '../../ask/ask-kill-switch.ts';
import { defineCommand } from '../../program/command.ts';
import { describeSwitch, encodeSwitch } from './kill-switch-text.ts';

export const resumeAll = defineCommand({
  usage: '',
  description:
    'Takes claw stop-all back: what was interrupted goes on where it was, and new work is taken again.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw resume-all'],
  run: (_, context) => askKillSwitch(context, turnKillSwitch, { body: { on: false } }),
  fields: encodeSwitch,
  text: ({ answer }, style) => describeSwitch(answer, style),
});
