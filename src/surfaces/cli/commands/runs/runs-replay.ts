import type { ReplayShape } from '../../../../operations/runs/replay-shapes.ts';
import { replayRun } from '../../../../operations/runs/replays.ts';
import { askReplays } from '../../ask/ask-replays.ts';
import { namingRun } from '../../ask/ask-runs.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { parseRunId } from './run-id-argument.ts';

type Divergence = NonNullable<ReplayShape['divergence']>;

export const runsReplay = defineCommand({
  usage: 'RUN',
  description:
    'Runs the loop again over a run that has ended: models, tools, clocks and people answer from its events. Nothing is\n' +
    'called and nothing is written. Exit code 1 when the loop goes another way now; both sides of the first event that\n' +
    'differs are shown. Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: [
    'claw runs replay run_01jv8z4q0k6c',
    'claw runs replay run_01jv8z4q0k6c --output-format json',
  ],
  async run({ args }, context) {
    const id = parseRunId(args[0], 'runs replay');
    return namingRun(id, askReplays(context, replayRun, { params: { run_id: id } }));
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text({ answer: { run_id: id, matched_events: matched, divergence } }, style) {
    if (divergence === null) {
      return `${style.green('equal')}: run ${id} went the same way again (${matched} events)`;
    }
    return [
      `${style.red('different')}: run ${id} goes another way at event ${divergence.seq}, after ${matched} equal ones`,
      `  recorded  ${describe(divergence.recorded, 'nothing more: the record was over')}`,
      `  replayed  ${describe(divergence.replayed, 'nothing more')}`,
    ].join('\n');
  },
  failure({ answer: { run_id: id, divergence } }) {
    if (divergence === null) return undefined;
    return {
      exitCode: 1,
      error: {
        kind: 'runtime',
        operation: 'replay_run',
        target: id,
        retryable: false,
        message: `the loop goes another way at event ${divergence.seq}`,
        hint: 'this release decides differently here than the one that recorded the run; --output-format json shows both sides whole',
      },
    };
  },
});

const MAX_SHOWN_CHARS = 600;

function describe(event: Divergence['recorded'], otherwise: string): string {
  if (event === null) return otherwise;
  return `${event.event_type} ${toOneLine(JSON.stringify(event.payload), MAX_SHOWN_CHARS)}`;
}
