import type { Run } from '../../../core/runs/run.ts';
import type { RunTrace } from '../../../core/runs/trace.ts';
import { defineCommand } from '../command.ts';
import {
  formatDuration,
  formatLocalTime,
  formatModel,
  formatStatus,
  formatTotals,
} from '../format.ts';
import { getRun, openRunReader } from '../open-runs.ts';
import { toOneLine, toPlainText } from '../plain-text.ts';
import { encodeRun, encodeTrace } from '../run-fields.ts';
import { parseRunId } from '../run-id-argument.ts';
import type { Style } from '../style.ts';

export const runsShow = defineCommand({
  usage: 'RUN',
  description: 'Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: [
    'claw runs show run_01jv8z4q0k6c',
    'claw runs show run_01jv8z4q0k6c --output-format json',
  ],
  async run({ args }, context) {
    const id = parseRunId(args[0], 'runs show');
    const { via, runs, close } = await openRunReader(context);
    try {
      const run = await getRun(runs, id);
      return { via, run, trace: await runs.trace(id) };
    } finally {
      await close();
    }
  },
  fields: ({ via, run, trace }) => ({ ...encodeRun(run), trace: encodeTrace(trace), via }),
  text: ({ run, trace }, style) =>
    [formatFacts(run, style), formatTrace(trace, style), toPlainText(run.output ?? '')]
      .filter((part) => part !== '')
      .join('\n\n'),
});

function formatFacts(run: Run, style: Style): string {
  const facts: [string, string][] = [
    ['run', run.id],
    ['status', formatStatus(run.status, style) + stopReason(run)],
    ['agent', run.agentId],
    ['created', `${formatLocalTime(run.createdAtMs)} by ${toOneLine(run.source, 40)}`],
    ['model', formatModel(run)],
    ['totals', formatTotals(run)],
    [
      'error',
      run.error === undefined ? '' : toOneLine(`${run.error.code}: ${run.error.message}`, 400),
    ],
    ['message', toOneLine(run.message, Math.max(40, style.width - 10))],
  ];
  return facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${style.dim(name.padEnd(8))}  ${value}`)
    .join('\n');
}

function stopReason(run: Run): string {
  const { stopReason: reason } = run;
  return reason === undefined || reason === run.status ? '' : ` (${reason})`;
}

function formatTrace(trace: RunTrace, style: Style): string {
  if (trace.toolResults.length === 0) return '';
  const lines = trace.toolResults.map((result) => {
    const outcome = result.error === '' ? style.green('ok') : style.red('failed');
    const said = toOneLine(result.error === '' ? result.summary : result.error, 160);
    return `  ${style.cyan(toOneLine(result.tool, 100))} ${outcome}, ${formatDuration(result.durationMs)}: ${said}`;
  });
  return [style.bold('tools:'), ...lines, ...(trace.truncated ? ['  … and more'] : [])].join('\n');
}
