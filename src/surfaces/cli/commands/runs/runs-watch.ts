import { RuntimeError } from '../../../../core/errors.ts';
import { getRun } from '../../../../operations/runs/runs.ts';
import { namingRun, RUNS } from '../../ask/ask-runs.ts';
import { openWay } from '../../ask/ask-runtime.ts';
import { formatTotals } from '../../print/format.ts';
import { defineCommand } from '../../program/command.ts';
import { followRun } from './follow-run.ts';
import { toRunFields } from './run-fields.ts';
import { parseRunId } from './run-id-argument.ts';
import { WatchPrinter } from './watch-printer.ts';

const MAX_TIMEOUT_SECONDS = 86_400;

export const runsWatch = defineCommand({
  usage: 'RUN [--timeout-seconds N]',
  description:
    'Shows what happened so far, then what happens, until the run ends. Ctrl-C stops watching; the run goes on. In\n' +
    'JSON one document comes at the end. Exit code 0 when the run has ended, however it ended; 2 when time ran out.',
  args: { min: 1, max: 1 },
  options: {
    'timeout-seconds': {
      kind: 'number',
      value: 'N',
      min: 0.001,
      max: MAX_TIMEOUT_SECONDS,
      isWhole: false,
      summary: 'stop watching after this long',
    },
  },
  examples: ['claw runs watch run_01jv8z4q0k6c'],
  async run({ args, options }, context) {
    const id = parseRunId(args[0], 'runs watch');
    const seconds = options['timeout-seconds'];
    const deadline = seconds === undefined ? undefined : AbortSignal.timeout(seconds * 1_000);
    const signal = AbortSignal.any([context.live.closed, ...(deadline ? [deadline] : [])]);
    const way = await openWay(context, RUNS.read);
    const printer = new WatchPrinter(context.live);
    try {
      const found = await namingRun(id, way.ask(getRun, { params: { run_id: id } }));
      const follow = { way, runId: id, signal, onEvent: printer.take };
      const run = await followRun(follow).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return undefined;
      });
      if (run === undefined && deadline?.aborted) {
        throw new RuntimeError('timeout', `run ${id} had not ended after ${seconds} s`, {
          details: { target: id, hint: 'the run goes on: claw runs watch takes it up again' },
        });
      }
      return {
        via: way.via,
        run: run ?? found,
        count: printer.count,
        rest: printer.rest(run?.output ?? ''),
      };
    } finally {
      await way.close();
    }
  },
  fields: ({ via, run, count }) => ({ ...toRunFields(run), events_count: count, via }),
  text: ({ run, rest }, style) =>
    `${rest === '' || rest.endsWith('\n') ? rest : `${rest}\n`}${style.dim(formatTotals(run))}`,
});
