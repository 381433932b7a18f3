import type { RunId } from '../../../../core/ids.ts';
import type { ApprovalShape } from '../../../../operations/approvals/approval-shapes.ts';
import { listApprovals } from '../../../../operations/approvals/approvals.ts';
import type { RunDetail, RunTraceShape } from '../../../../operations/runs/run-shapes.ts';
import { getRun } from '../../../../operations/runs/runs.ts';
import { askApprovals } from '../../ask/ask-approvals.ts';
import { askRuns, namingRun } from '../../ask/ask-runs.ts';
import {
  formatDuration,
  formatLocalTime,
  formatModel,
  formatStatus,
  formatTotals,
} from '../../print/format.ts';
import { formatDate } from '../../print/layout.ts';
import { toOneLine, toPlainText } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';
import { defineCommand } from '../../program/command.ts';
import type { CliContext } from '../../program/context.ts';
import { describeDecision } from '../approvals/approval-question.ts';
import { toRunFields, toTraceFields } from './run-fields.ts';
import { parseRunId } from './run-id-argument.ts';

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
    const asked = askRuns(context, getRun, { params: { run_id: id } });
    const { via, answer: run } = await namingRun(id, asked);
    const approval = run.status === 'waiting' ? await findApproval(context, id) : undefined;
    return { via, run, approval };
  },
  fields: ({ via, run, approval }) => ({
    ...toRunFields(run),
    trace: toTraceFields(run.trace),
    open_approval: approval ?? null,
    via,
  }),
  text: ({ run, approval }, style) =>
    [
      formatFacts(run, style),
      formatTrace(run.trace, style),
      approval === undefined ? '' : formatOpen(approval, style),
      toPlainText(run.output),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
});

async function findApproval(context: CliContext, id: RunId): Promise<ApprovalShape | undefined> {
  const query = { status: 'pending', run_id: id, limit: 1 } as const;
  const { answer } = await askApprovals(context, listApprovals, { query });
  return answer.approvals[0];
}

function formatOpen(approval: ApprovalShape, style: Style): string {
  const { id, tool, reason, expires_at: until } = approval;
  const call = toOneLine(`${tool} ${JSON.stringify(approval.arguments)}`, 400);
  return [
    style.bold('waits for an approval:'),
    `  ${id}: ${call}`,
    `  ${toOneLine(reason, 400)}; until ${formatDate(until)}`,
    `  ${describeDecision(id)}`,
  ].join('\n');
}

function formatFacts(run: RunDetail, style: Style): string {
  const facts: [string, string][] = [
    ['run', run.id],
    ['status', formatStatus(run.status, style) + stopReason(run)],
    ['agent', run.agent_id],
    ['created', `${formatLocalTime(Date.parse(run.created_at))} by ${toOneLine(run.source, 40)}`],
    ['fork of', run.forked_from ? `${run.forked_from.run_id}, event ${run.forked_from.seq}` : ''],
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

function stopReason({ stop_reason: reason, status }: RunDetail): string {
  return reason === null || reason === status ? '' : ` (${reason})`;
}

function formatTrace(
  { tool_execution_results: results, truncated }: RunTraceShape,
  style: Style,
): string {
  if (results.length === 0) return '';
  const lines = results.map((result) => {
    const outcome = result.error === '' ? style.green('ok') : style.red('failed');
    const said = toOneLine(result.error === '' ? result.summary : result.error, 160);
    return `  ${style.cyan(toOneLine(result.tool, 100))} ${outcome}, ${formatDuration(result.duration_ms)}: ${said}`;
  });
  return [style.bold('tools:'), ...lines, ...(truncated ? ['  … and more'] : [])].join('\n');
}
