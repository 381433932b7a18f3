import { RUN_STATUSES } from '../../../core/runs/run.ts';
import { type Status, type StatusView, viewStatus } from '../ask/ask-status.ts';
import { formatDuration } from '../print/format.ts';
import { formatDate, formatFacts } from '../print/layout.ts';
import { toOneLine } from '../print/plain-text.ts';
import { formatWarning, type Style } from '../print/style.ts';
import { defineCommand } from '../program/command.ts';
import { describeSwitch } from './kill-switch/kill-switch-text.ts';

const MAX_WARNING_CHARS = 400;

export const status = defineCommand({
  usage: '',
  description:
    'The server, its model, runs by status, and what waits for a person. Without a server the state root itself is\n' +
    'looked at, and nothing is changed; that no server runs is no error.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw status', 'claw status --output-format json'],
  run: (_, context) => viewStatus(context),
  fields: ({ via, url, view }) => ({
    running: url !== undefined,
    url: url ?? null,
    ...view,
    via,
  }),
  text: (given, style) =>
    [
      formatFacts(
        [
          ['server', describeServer(given, style)],
          ['version', given.view.version],
          ['model', describeModel(given.view, style)],
          ['storage', given.view.engine],
          ['runs', describeRuns(given.view)],
          ['approvals', describeApprovals(given.view, style)],
          ['effects', describeEffects(given.view, style)],
          ['scheduler', describeScheduler(given.view, style)],
          ...(given.view.kill_switch.on
            ? [['stopped', describeSwitch(given.view.kill_switch, style)] as const]
            : []),
        ],
        style,
      ),
      ...given.view.warnings.map((warning) =>
        formatWarning(toOneLine(warning, MAX_WARNING_CHARS), style),
      ),
    ].join('\n'),
});

function describeServer({ url, view }: Status, style: Style): string {
  if (url === undefined) return `${style.yellow('not running')}: claw serve starts it`;
  const since = formatDuration((view.uptime_seconds ?? 0) * 1_000);
  return `${style.green('running')} at ${url} for ${since}`;
}

function describeModel({ model }: StatusView, style: Style): string {
  return model.name === '' ? style.red('none') : toOneLine(`${model.provider}/${model.name}`, 200);
}

function describeRuns({ run_count: total, counts }: StatusView): string {
  const parts = RUN_STATUSES.filter((name) => counts[name] > 0).map(
    (name) => `${counts[name]} ${name}`,
  );
  return total === 0 ? '0' : `${total}: ${parts.join(', ')}`;
}

function describeApprovals({ approvals }: StatusView, style: Style): string {
  if (approvals.pending === 0) return '0 open';
  return `${style.yellow(`${approvals.pending} open`)}: claw approvals list --status pending`;
}

function describeEffects({ effects }: StatusView, style: Style): string {
  if (effects.unknown === 0) return '0 unknown';
  return `${style.yellow(`${effects.unknown} unknown`)}: claw effects list --status unknown`;
}

function describeScheduler({ scheduler }: StatusView, style: Style): string {
  const jobs = scheduler.jobs === 1 ? '1 job' : `${scheduler.jobs} jobs`;
  const { next } = scheduler;
  if (!scheduler.enabled) return `${jobs}; ${style.yellow('switched off')}`;
  if (scheduler.paused) return `${jobs}; ${style.yellow('paused')}: claw schedule resume --all`;
  return next === null ? jobs : `${jobs}; next ${next.job_id} at ${formatDate(next.at)}`;
}
