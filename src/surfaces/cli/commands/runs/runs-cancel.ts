import { isTerminal } from '../../../../core/runs/run.ts';
import { cancelRun } from '../../../../operations/runs/runs.ts';
import { askRuns, assertRun } from '../../ask/ask-runs.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { parseRunId } from './run-id-argument.ts';

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
    await assertRun(context, id);
    const body = reason === '' ? null : { reason };
    return askRuns(context, cancelRun, { params: { run_id: id }, body });
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text({ answer: { id, status, idempotent_replay: isReplay } }) {
    if (status === 'cancelled') return `run ${id} is cancelled`;
    if (isTerminal(status)) return `run ${id} had ended already: ${status}`;
    return isReplay
      ? `run ${id} was to be cancelled already (it is ${status})`
      : `run ${id} will be cancelled (it is ${status})`;
  },
});
