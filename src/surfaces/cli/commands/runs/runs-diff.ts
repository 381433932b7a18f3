import type { RunDiffShape, RunStepShape } from '../../../../operations/runs/replay-shapes.ts';
import { diffRuns } from '../../../../operations/runs/replays.ts';
import { askReplays } from '../../ask/ask-replays.ts';
import { namingRun } from '../../ask/ask-runs.ts';
import { toOneLine } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';
import { defineCommand } from '../../program/command.ts';
import { parseRunId } from './run-id-argument.ts';

type Step = RunDiffShape['steps'][number];

export const runsDiff = defineCommand({
  usage: 'RUN OTHER',
  description:
    'What both runs did, side by side, without ids and times, and the first step that differs. A fork and the run that it\n' +
    'goes on from are compared from where it went its own way. Asks the running server, else reads the database.',
  args: { min: 2, max: 2 },
  options: {},
  examples: [
    'claw runs diff run_01jv8z4q0k6c run_01jv8z9d3m2x',
    'claw runs diff run_01jv8z4q0k6c run_01jv8z9d3m2x --output-format json',
  ],
  async run({ args }, context) {
    const left = parseRunId(args[0], 'runs diff');
    const right = parseRunId(args[1], 'runs diff');
    const input = { params: { run_id: left }, query: { with: right } };
    return namingRun(`${left} or ${right}`, askReplays(context, diffRuns, input));
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text: ({ answer }, style) =>
    [
      ...answer.steps.map((step) => formatStep(step, style)),
      ...(answer.truncated ? [style.dim('… and more')] : []),
      '',
      describeOutcome(answer, style),
    ].join('\n'),
});

function describeOutcome(diff: RunDiffShape, style: Style): string {
  const { same_steps: same, first_divergence: first, shared_through_seq: shared } = diff;
  const since = shared === null ? '' : ` after event ${shared}, where one was forked`;
  if (first === null) return `${style.green('equal')}: ${same} steps${since}`;
  return [
    `${style.red('different')}: ${same} equal steps${since}, then`,
    `  ${diff.left}  ${describeStep(first.left)}`,
    `  ${diff.right}  ${describeStep(first.right)}`,
  ].join('\n');
}

const MAX_SAID_CHARS = 600;

function describeStep(step: RunStepShape | null): string {
  if (step === null) return 'nothing more';
  return `${step.seq} ${step.event_type} ${toOneLine(JSON.stringify(step.said), MAX_SAID_CHARS)}`;
}

/** Half the line for each side; what is equal stands once. */
function formatStep({ equal, left, right }: Step, style: Style): string {
  if (equal && left) return style.dim(`  ${formatSide(left, style.width - 2)}`);
  const width = Math.max(20, Math.floor((style.width - 5) / 2));
  return `${style.red('≠')} ${formatSide(left, width).padEnd(width)} │ ${formatSide(right, width)}`;
}

function formatSide(side: Step['left'], width: number): string {
  return side === null ? '' : toOneLine(`${side.seq} ${side.event_type} ${side.line}`, width);
}
