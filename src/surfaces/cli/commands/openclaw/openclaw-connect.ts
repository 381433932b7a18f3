import { connectBridge } from '../../../../operations/openclaw/bridge.ts';
import { askBridge } from '../../ask/ask-bridge.ts';
import { formatBridge } from '../../bridge-text.ts';
import { defineCommand } from '../../program/command.ts';

export const openclawConnect = defineCommand({
  usage: '',
  description:
    'Tries now, also after a refusal: when the token was changed, or the device approved on the gateway. Through the\n' +
    'running server, which keeps the connection; else from this process, which lets it go again.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw openclaw connect'],
  run: (_input, context) => askBridge(context, connectBridge, { body: null }),
  fields: ({ via, answer }) => ({ ...answer, via }),
  text: ({ answer }, style) => formatBridge(answer, style),
});
