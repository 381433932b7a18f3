import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { exportAgent } from '../../../../operations/agents/parcels.ts';
import { errnoOf } from '../../../../platform/errno-of.ts';
import { namingAgent, parseAgentArgument } from '../../admin-arguments.ts';
import { assertAgent } from '../../ask/ask-agents.ts';
import { PARCELS } from '../../ask/ask-parcels.ts';
import { asking } from '../../ask/ask-runtime.ts';
import { formatMegabytes } from '../../parcel-text.ts';
import { quoteForShell } from '../../print/quote-for-shell.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { saveFile } from '../../save-file.ts';

const COMMAND = 'agents export';

export const agentsExport = defineCommand({
  usage: 'AGENT -o FILE.claw [--with-audit] [--force]',
  description:
    'Writes a whole agent into one file: definition, soul, conversations, memories, facts, jobs, and the skills it names.\n' +
    "Never secrets. The file is signed with this installation's key; claw agents import takes it elsewhere. It holds what\n" +
    'people said to the agent: keep it as you keep that. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {
    output: { kind: 'text', value: 'FILE', summary: 'where to write it', short: 'o' },
    'with-audit': { kind: 'flag', summary: 'with the logs of its runs, for people to read' },
    force: { kind: 'flag', summary: 'replace a file that is there' },
  },
  examples: ['claw agents export lince -o lince.claw', 'claw agents import lince.claw --preview'],
  async run({ args, options }, context) {
    const agent = parseAgentArgument(args[0], COMMAND);
    if (options.output === undefined) {
      throw parseError('say where to write it', { target: COMMAND, hint: '-o FILE.claw' });
    }
    const file = resolve(options.output);
    if (!options.force && existsSync(file)) throw exists(options.output);
    await assertAgent(context, agent);
    const saved = asking(context, PARCELS.read, async (ask, via) => {
      const query = { with_audit: options['with-audit'] };
      const content = await ask(exportAgent, { params: { agent_id: agent }, query });
      const onBytes = (bytes: number) => context.live.progress(formatMegabytes(bytes));
      const bytes = await saveFile(file, content, { isReplacing: options.force, onBytes }).catch(
        (thrown: unknown) => {
          throw errnoOf(thrown) === 'EEXIST' ? exists(file) : thrown;
        },
      );
      return { via, bytes };
    });
    return { agent, file, ...(await namingAgent(agent, saved)) };
  },
  fields: ({ agent, file, bytes, via }) => ({ agent, file, bytes, via }),
  text: ({ agent, file, bytes }) =>
    `agent ${agent} is in ${file} (${formatMegabytes(bytes)})\n` +
    `elsewhere: claw agents import ${quoteForShell(file)} --preview`,
});

function exists(file: string) {
  return parseError(`${file} is there already`, {
    target: COMMAND,
    hint: '--force replaces it',
  });
}
