import { isTerminal } from '../../../core/runs/run.ts';
import { defineCommand } from '../command.ts';
import { parseError } from '../errors.ts';
import { getRun, openRunReader, openRuns } from '../open-runs.ts';
import { parseRunId } from '../run-id-argument.ts';

const MAX_REASON_CHARS = 500;

export const runsCancel = defineCommand({
  usage: 'RUN [--reason TEXT]',
  description:
    'The wish is stored first, so it survives a crash; the run ends as soon as its runner hears of it. Cancelling a\n' +
    'run that has ended changes nothing.',
  args: { min: 1, max: 1 },
  options: { reason: { kind: 'text', value: 'TEXT', summary: 'kept in the event log' } },
  examples: ['claw runs cancel run_01jv8z4q0k6c --reason "wrong file"'],
  async run({ args, options }, context) {
    const id = parseRunId(args[0], 'runs cancel');
    const { reason = '' } = options;
    if (reason.length > MAX_REASON_CHARS) {
      throw parseError(`option --reason must have at most ${MAX_REASON_CHARS} characters`, {
        target: 'runs cancel',
      });
    }
    // Looked up without a writer first: a mistyped id must not create a state root.
    const reader = await openRunReader(context);
    try {
      await getRun(reader.runs, id);
    } finally {
      await reader.close();
    }
    const { via, runs, close } = await openRuns(context);
    try {
      const { run, recorded } = await runs.cancel({ runId: id, reason, actor: 'user' });
      return { via, run, recorded };
    } finally {
      await close();
    }
  },
  fields: ({ via, run, recorded }) => ({
    id: run.id,
    status: run.status,
    cancel_requested: recorded || run.status === 'cancelling' || run.status === 'cancelled',
    idempotent_replay: !recorded,
    via,
  }),
  text({ run, recorded }) {
    if (run.status === 'cancelled') return `run ${run.id} is cancelled`;
    if (isTerminal(run.status)) return `run ${run.id} had ended already: ${run.status}`;
    return recorded
      ? `run ${run.id} will be cancelled (it is ${run.status})`
      : `run ${run.id} was to be cancelled already (it is ${run.status})`;
  },
});
