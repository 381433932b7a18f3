import { type FileHandle, open } from 'node:fs/promises';
import { defined } from '../../../../core/defined.ts';
import { importAgent } from '../../../../operations/agents/parcels.ts';
import { PARCELS } from '../../ask/ask-parcels.ts';
import { asking } from '../../ask/ask-runtime.ts';
import { formatImport } from '../../parcel-text.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { MEMORY_OPTIONS, toApprovalHeaders } from './agent-arguments.ts';

const COMMAND = 'agents import';
const CHUNK_BYTES = 256 * 1024;

export const agentsImport = defineCommand({
  usage: 'FILE.claw [--preview] [--as NAME] [--trust KEY]… [--grant TOOL]… [--without-grants]',
  description:
    'Takes in an agent that claw agents export wrote: all of it or nothing, under new ids, its jobs paused. Every hash and\n' +
    'the signature are checked before. The same file again finds the agent that it made. --preview tells what would come\n' +
    'in and what is missing, and stores nothing. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {
    preview: { kind: 'flag', summary: 'tell what would come of it, and store nothing' },
    as: { kind: 'text', value: 'NAME', summary: 'another name for the agent' },
    trust: {
      kind: 'list',
      value: 'KEY',
      summary: 'a public key that counts this once; repeatable (for good: skills.trusted_keys)',
    },
    grant: {
      kind: 'list',
      value: 'TOOL',
      summary: 'grant the agent a tool that it was granted where it comes from; repeatable',
    },
    'without-grants': {
      kind: 'flag',
      summary: 'leave out what it was granted there and is not here',
    },
    'approve-pins': { kind: 'flag', summary: 'memories that are pinned there are pinned here' },
    'approve-global-memory': MEMORY_OPTIONS['approve-global-memory'],
    principals: {
      kind: 'choice',
      value: 'WHAT',
      choices: ['keep', 'skip'],
      summary: 'keep what belongs to users and guests for the same ones here, or leave it out',
    },
  },
  examples: [
    'claw agents import lince.claw --preview',
    'claw agents import lince.claw --as "Lince at home"',
  ],
  async run({ args: [file = ''], options }, context) {
    const handle = await open(file).catch(() => {
      throw parseError(`${file} can't be read`, { target: COMMAND });
    });
    try {
      const place = options.preview ? PARCELS.read : PARCELS.write;
      return await asking(context, place, async (ask, via) => {
        const query = {
          preview: options.preview,
          trust: options.trust.join(','),
          grant: options.grant.join(','),
          without_grants: options['without-grants'],
          approve_pins: options['approve-pins'],
          ...defined({ as: options.as, principals: options.principals }),
        };
        const headers = toApprovalHeaders(options);
        return { via, answer: await ask(importAgent, { query, headers, body: read(handle) }) };
      });
    } finally {
      await handle.close();
    }
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text: ({ answer }, style) => formatImport(answer, style),
});

async function* read(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    // A new one each time: what was given away may still be on its way.
    const buffer = Buffer.alloc(CHUNK_BYTES);
    const { bytesRead } = await handle.read(buffer);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
