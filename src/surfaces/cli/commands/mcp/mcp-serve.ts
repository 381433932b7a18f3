import { defineCommand } from '../../program/command.ts';
import type { CliContext } from '../../program/context.ts';

export const mcpServe = defineCommand({
  usage: '',
  description:
    'For MCP clients that start programs. Offers runs, the tools that the default agent may use, and agents and skills as\n' +
    'prompts, until the client closes its side or the program is stopped. Executes its own runs, also beside a running\n' +
    'server. Standard output is the protocol and nothing else, whatever the output format; warnings go to standard error.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw mcp serve', 'claw mcp serve --root ~/agents'],
  handlesInterrupt: true,
  ownsOutput: true,
  async run(_input, context): Promise<void> {
    const session = await context.parts.serveMcp(context.root);
    try {
      await Promise.race([session.ended, untilStopped(context)]);
    } finally {
      await session.close();
    }
  },
  fields: () => ({}),
  text: () => '',
});

/** At a signal, or when nobody reads what is answered. */
function untilStopped({ signal, live }: CliContext): Promise<void> {
  const stopped = AbortSignal.any([signal, live.closed]);
  return new Promise((resolve) => {
    if (stopped.aborted) resolve();
    else stopped.addEventListener('abort', () => resolve(), { once: true });
  });
}
