import type { CircuitShape } from '../../http/admin-shapes.ts';
import type { AdminAccess } from '../admin-access.ts';
import { namingTool, parseToolName } from '../admin-arguments.ts';
import { defineCommand } from '../command.ts';
import { openAdmin, withAdmin } from '../open-admin.ts';
import { formatCircuit } from '../tool-text.ts';

export const toolCircuitStatus = defineCircuitCommand({
  verb: 'status',
  description: 'Asks the running server; of a stopped one, what it stored.',
  ask: (admin, name) => admin.getCircuit(name),
});

export const toolCircuitOpen = defineCircuitCommand({
  verb: 'open',
  description:
    'Calls of the tool are refused at once, in all processes that share the circuit, until somebody resets it.\n' +
    'Through the running server, else on what a stopped one stored.',
  ask: (admin, name) => admin.openCircuit(name),
});

export const toolCircuitReset = defineCircuitCommand({
  verb: 'reset',
  description:
    'Whatever it was; what was counted is forgotten. Through the running server, else on what a stopped one stored.',
  ask: (admin, name) => admin.resetCircuit(name),
});

function defineCircuitCommand(options: {
  readonly verb: 'status' | 'open' | 'reset';
  readonly description: string;
  readonly ask: (admin: AdminAccess, name: string) => Promise<CircuitShape>;
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
      return withAdmin(
        openAdmin(context, { isLooking: verb === 'status' }),
        async (admin, via) => ({
          via,
          circuit: await namingTool(name, ask(admin, name)),
        }),
      );
    },
    fields: ({ via, circuit }) => ({ ...circuit, via }),
    text: ({ circuit }, style) => `${circuit.tool}: ${formatCircuit(circuit, style)}`,
  });
}
