import type { CircuitShape } from '../../../../operations/tools/tool-shapes.ts';
import { getCircuit, openCircuit, resetCircuit } from '../../../../operations/tools/tools.ts';
import { namingTool, parseToolName } from '../../admin-arguments.ts';
import type { Asked } from '../../ask/ask-runtime.ts';
import { askTools } from '../../ask/ask-tools.ts';
import { defineCommand } from '../../program/command.ts';
import type { CliContext } from '../../program/context.ts';
import { formatCircuit } from './tool-text.ts';

export const toolCircuitStatus = defineCircuitCommand({
  verb: 'status',
  description: 'Asks the running server; of a stopped one, what it stored.',
  ask: (context, tool) => askTools(context, getCircuit, { params: { tool } }),
});

export const toolCircuitOpen = defineCircuitCommand({
  verb: 'open',
  description:
    'Calls of the tool are refused at once, in all processes that share the circuit, until somebody resets it.\n' +
    'Through the running server, else on what a stopped one stored.',
  ask: (context, tool) => askTools(context, openCircuit, { params: { tool }, body: null }),
});

export const toolCircuitReset = defineCircuitCommand({
  verb: 'reset',
  description:
    'Whatever it was; what was counted is forgotten. Through the running server, else on what a stopped one stored.',
  ask: (context, tool) => askTools(context, resetCircuit, { params: { tool }, body: null }),
});

function defineCircuitCommand(options: {
  readonly verb: 'status' | 'open' | 'reset';
  readonly description: string;
  readonly ask: (context: CliContext, tool: string) => Promise<Asked<CircuitShape>>;
}) {
  const { verb, description, ask } = options;
  const command = `tool circuit-breaker ${verb}`;
  return defineCommand({
    usage: 'TOOL',
    description,
    args: { min: 1, max: 1 },
    options: {},
    examples: [`claw ${command} http.request`],
    async run({ args }, context) {
      const name = parseToolName(args[0], command);
      return namingTool(name, ask(context, name));
    },
    fields: ({ via, answer: circuit }) => ({ ...circuit, via }),
    text: ({ answer: circuit }, style) => `${circuit.tool}: ${formatCircuit(circuit, style)}`,
  });
}
