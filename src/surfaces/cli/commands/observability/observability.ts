import {
  DEFAULT_WINDOW_MINUTES,
  MAX_WINDOW_MINUTES,
} from '../../../../core/observability/summary.ts';
import { readSummary } from '../../../../operations/observability/observability.ts';
import type { SummaryShape } from '../../../../operations/observability/observability-shapes.ts';
import { askObservability } from '../../ask/ask-observability.ts';
import { formatFacts } from '../../print/layout.ts';
import type { Style } from '../../print/style.ts';
import { defineCommand } from '../../program/command.ts';

export const observability = defineCommand({
  usage: '[--window MINUTES]',
  description:
    'Security events and errors of late, on all nodes, with what to do where there are too many. Asks the running server,\n' +
    'else reads the database.',
  args: { min: 0, max: 0 },
  options: {
    window: {
      kind: 'number',
      value: 'MINUTES',
      min: 1,
      max: MAX_WINDOW_MINUTES,
      isWhole: true,
      summary: `how far back (default ${DEFAULT_WINDOW_MINUTES}, at most ${MAX_WINDOW_MINUTES})`,
    },
  },
  examples: ['claw observability', 'claw observability --window 1440'],
  run: ({ options: { window = DEFAULT_WINDOW_MINUTES } }, context) =>
    askObservability(context, readSummary, { query: { window_minutes: window } }),
  fields: ({ via, answer }) => ({ ...answer, via }),
  text: ({ answer }, style) => describe(answer, style),
});

function describe(summary: SummaryShape, style: Style): string {
  const facts = formatFacts(
    [
      ['status', describeStatus(summary, style)],
      ['window', `${summary.window_minutes} minutes`],
      ['security events', describeCounts(summary.security_event_counters)],
      ['errors', describeCounts(summary.error_taxonomy_counters)],
    ],
    style,
  );
  const alerts = summary.alerts.map(
    ({ count, message, recovery_action: next }) =>
      `${style.yellow('alert')}: ${message} (${count}). ${next}`,
  );
  return [facts, ...alerts].join('\n');
}

function describeStatus({ alert_status: status }: SummaryShape, style: Style): string {
  if (status === 'nominal') return style.green(status);
  return status === 'watch' ? style.yellow(status) : style.red(status);
}

function describeCounts(counters: SummaryShape['error_taxonomy_counters']): string {
  const total = counters.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return '0';
  return `${total}: ${counters.map(({ key, count }) => `${count} ${key}`).join(', ')}`;
}
