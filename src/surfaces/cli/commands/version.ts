import { defineCommand } from '../command.ts';
import { versionLine } from '../version-line.ts';

export const version = defineCommand({
  usage: '',
  description: '',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw version', 'claw --version'],
  run: async (_input, { parts }) => ({
    version: parts.version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  }),
  fields: ({ version, node, platform }) => ({
    name: 'pincer',
    version,
    node_version: node,
    platform,
  }),
  text: ({ version }) => versionLine(version),
});
