import { START_STAGES } from '../../../core/inventory/start-stages.ts';
import { defineCommand } from '../program/command.ts';

const NOTE =
  'stages of claw serve, in order; a command that executes runs without a server stops at the runner';

export const bootstrapGraph = defineCommand({
  usage: '',
  description: 'Lists what happens when the server starts, in order. Starts nothing.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw bootstrap-graph', 'claw bootstrap-graph --output-format json'],
  run: async () => ({ stages: START_STAGES }),
  fields: ({ stages }) => ({ stages, note: NOTE }),
  text: ({ stages }) =>
    ['# Bootstrap Graph', '', ...stages.map((stage) => `- ${stage}`)].join('\n'),
});
