import { isTimeZone, toZonedIso } from '../../../../core/schedule/time-zone.ts';
import type {
  FiredSlotShape,
  JobShape,
  MissedSlotsShape,
} from '../../../../operations/jobs/job-shapes.ts';
import type { Via } from '../../healthy-server.ts';
import { formatStatus } from '../../print/format.ts';
import { formatDate, formatFacts } from '../../print/layout.ts';
import { toOneLine, toPlainText } from '../../print/plain-text.ts';
import type { Style } from '../../print/style.ts';

const MAX_ID_CHARS = 128;

export function formatJob(job: JobShape, style: Style): string {
  const { notify, last_run: last } = job;
  const facts = formatFacts(
    [
      ['job', job.job_id],
      ['schedule', toOneLine(job.schedule, MAX_ID_CHARS)],
      ['next', describeNext(job, style)],
      ['agent', job.agent_id],
      ['mode', job.mode],
      [
        'notify',
        notify.channel === 'none'
          ? ''
          : `${notify.channel} ${toOneLine(notify.target, MAX_ID_CHARS)}`,
      ],
      ['time zone', toOneLine(job.timezone, MAX_ID_CHARS)],
      ['catch up', job.catch_up],
      ['last run', last === null ? '' : formatFired(last, style)],
      ['created', formatDate(job.created_at)],
      ['updated', formatDate(job.updated_at)],
    ],
    style,
  );
  return `${facts}\n\n${toPlainText(job.message)}`;
}

/** When it is due, or why it is not. */
export function describeNext(job: JobShape, style: Style): string {
  if (job.next_run_at !== null) return formatDate(job.next_run_at);
  return job.enabled ? 'never again' : style.yellow('paused');
}

/** With the time in the zone of the job, where that is not said by the first already. */
export function describeNextInZone(job: JobShape, style: Style): string {
  const next = describeNext(job, style);
  if (job.next_run_at === null || job.timezone === 'UTC' || !isTimeZone(job.timezone)) return next;
  const local = toZonedIso(Date.parse(job.next_run_at), job.timezone);
  return `${next} (${toOneLine(`${local} ${job.timezone}`, MAX_ID_CHARS)})`;
}

function formatFired(fired: FiredSlotShape, style: Style): string {
  return `${formatDate(fired.slot_at)}  ${fired.run_id}  ${formatStatus(fired.run_status, style)}`;
}

export function formatFiring(firing: FiredSlotShape | MissedSlotsShape, style: Style): string {
  if (firing.outcome === 'fired') return `fired   ${formatFired(firing, style)}`;
  const { count, first_slot_at: first, last_slot_at: last } = firing;
  const rest = count === 1 ? '' : ` and ${count - 1} more until ${formatDate(last)}`;
  return `${style.yellow('missed')}  ${formatDate(first)}${rest}  (${MISS_TEXTS[firing.reason]})`;
}

const MISS_TEXTS: Readonly<Record<MissedSlotsShape['reason'], string>> = {
  late: 'nobody was there to fire it in time',
  overlap: 'the run before it was still going on',
  capacity: 'too many jobs were running',
  queue_full: 'the queue was full',
  disabled: 'all firing was paused',
  failed: 'its run could not be created',
};

/** Jobs are stored by whoever adds them, and fired by a server alone. */
export function needsServerLine(via: Via): string[] {
  return via === 'local' ? ['it fires while a server runs: claw serve'] : [];
}

export function allPausedLine(isPaused: boolean, style: Style): string[] {
  return isPaused
    ? [style.yellow('all firing is paused: claw schedule resume --all goes on with it')]
    : [];
}
