import { readBridge } from '../../../../operations/openclaw/bridge.ts';
import { askBridge } from '../../ask/ask-bridge.ts';
import { formatBridge } from '../../bridge-text.ts';
import { defineCommand } from '../../program/command.ts';

export const openclawStatus = defineCommand({
  usage: '',
  description:
    'How the connection of the running server to the OpenClaw gateway stands, and what to do when it is refused.\n' +
    'Without a server it says what is configured; claw openclaw connect tries it.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw openclaw status', 'claw openclaw status --output-format json'],
  run: (_input, context) => askBridge(context, readBridge, {}),
  fields: ({ via, answer }) => ({ ...answer, via }),
  text: ({ answer }, style) => formatBridge(answer, style),
});
