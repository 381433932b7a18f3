import type { RunId } from '../../../core/ids.ts';
import type { Run } from '../../../core/runs/run.ts';
import type { RunTrace } from '../../../core/runs/trace.ts';
import type { ApprovalShape } from '../../http/admin-shapes.ts';
import { describeDecision } from '../approval-question.ts';
import { defineCommand } from '../command.ts';
import type { CliContext } from '../context.ts';
import {
  formatDuration,
  formatLocalTime,
  formatModel,
  formatStatus,
  formatTotals,
} from '../format.ts';
import { formatDate } from '../layout.ts';
import { openLedger, withAdmin } from '../open-admin.ts';
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
      const trace = await runs.trace(id);
      const approval = run.status === 'waiting' ? await findApproval(context, id) : undefined;
      return { via, run, trace, approval };
    } finally {
      await close();
    }
  },
  fields: ({ via, run, trace, approval }) => ({
    ...encodeRun(run),
    trace: encodeTrace(trace),
    open_approval: approval ?? null,
    via,
  }),
  text: ({ run, trace, approval }, style) =>
    [
      formatFacts(run, style),
      formatTrace(trace, style),
      approval === undefined ? '' : formatOpen(approval, style),
      toPlainText(run.output ?? ''),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
});

async function findApproval(context: CliContext, id: RunId): Promise<ApprovalShape | undefined> {
  const query = { status: 'pending', run_id: id, limit: 1 } as const;
  return withAdmin(openLedger(context), async (ledger) => {
    const { approvals } = await ledger.listApprovals(query);
    return approvals[0];
  });
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
