import { versionLine } from '../print/version-line.ts';
import { defineCommand } from '../program/command.ts';

export const version = defineCommand({
  usage: '',
  description:
    'Of the program; in JSON also of Node, and the platform. A running server may be older: claw status has its version.',
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
