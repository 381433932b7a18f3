import { steerRun } from '../../../../operations/runs/runs.ts';
import { askRuns, assertRun } from '../../ask/ask-runs.ts';
import { defineCommand } from '../../program/command.ts';
import { MAX_MESSAGE_CHARS, readText } from '../../read-message.ts';
import { parseRunId } from './run-id-argument.ts';

const MAX_WORDS = 100;

export const runsSteer = defineCommand({
  usage: 'RUN [MESSAGE]',
  description:
    'The agent reads the message with its next model turn; nothing is stopped for it. It is stored first, so it survives\n' +
    'a crash. Without MESSAGE it is read from standard input. A run that has ended refuses it: send it with claw ask.',
  args: { min: 1, max: MAX_WORDS },
  options: {},
  examples: ['claw runs steer run_01jv8z4q0k6c "leave the tests as they are"'],
  async run({ args }, context) {
    const [run, ...words] = args;
    const id = parseRunId(run, 'runs steer');
    const message = await readText(words, context.input, {
      command: 'runs steer',
      what: 'message',
      argument: 'MESSAGE',
      maxChars: MAX_MESSAGE_CHARS,
      hint: 'give it behind the run, or on standard input',
    });
    await assertRun(context, id);
    return askRuns(context, steerRun, { params: { run_id: id }, headers: {}, body: { message } });
  },
  fields: ({ via, answer: { id, seq = null, idempotent_replay } }) => ({
    id,
    seq,
    idempotent_replay,
    via,
  }),
  text: ({ answer: { id } }) => `run ${id} reads it with its next turn`,
});
