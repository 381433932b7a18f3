import { defined } from '../../../../core/defined.ts';
import { JOB_ID_PATTERN } from '../../../../core/ids.ts';
import { JOB_MODES } from '../../../../core/schedule/job.ts';
import {
  MAX_JOB_MESSAGE_CHARS,
  parseNotify,
  parseTimeZone,
} from '../../../../core/schedule/job-fields.ts';
import { nextLocalTime, parseTimeOfDay } from '../../../../core/schedule/next-local-time.ts';
import { settleSchedule } from '../../../../core/schedule/parse-schedule.ts';
import { systemTimeZone, toZonedIso } from '../../../../core/schedule/time-zone.ts';
import type { JobFieldsShape } from '../../../../operations/jobs/job-shapes.ts';
import { parseAgentArgument, parseName } from '../../admin-arguments.ts';
import type { OptionValues } from '../../program/command.ts';
import type { InputStream } from '../../program/context.ts';
import { parseError } from '../../program/errors.ts';
import { readText } from '../../read-message.ts';

/** What a job is described by, when it is added and when it is changed. */
export const JOB_OPTIONS = {
  every: { kind: 'text', value: 'DURATION', summary: 'over and over: 30s, 1h30m, 24h' },
  in: { kind: 'text', value: 'DURATION', summary: 'once, this long from now: 5m, 2h' },
  at: {
    kind: 'text',
    value: 'TIME',
    summary: 'once, at 09:00 in the time zone, or at a moment with its offset',
  },
  daily: { kind: 'flag', summary: 'with --at 09:00: every 24 hours from then on' },
  schedule: { kind: 'text', value: 'TEXT', summary: 'either of these, as it is stored' },
  message: { kind: 'text', value: 'TEXT', summary: 'what the agent is told; - reads it' },
  agent: { kind: 'text', value: 'ID', summary: 'who is told' },
  mode: {
    kind: 'choice',
    value: 'MODE',
    choices: JOB_MODES,
    summary: "isolated: a fresh context; main_like: goes on in the agent's main session",
  },
  notify: {
    kind: 'text',
    value: 'CHANNEL:TARGET',
    summary: 'who hears the answer: session:ID, agent:ID or none',
  },
  timezone: {
    kind: 'text',
    value: 'ZONE',
    summary: 'in which its times are shown and --at 09:00 is meant, as Europe/Berlin',
  },
  'catch-up': {
    kind: 'choice',
    value: 'RULE',
    choices: ['none', 'once'],
    summary: 'once: one run for all times that were missed',
  },
} as const;

export type JobOptions = OptionValues<typeof JOB_OPTIONS>;

/**
 * What the options say, in the words of the operations. Refused here already when it makes no sense anywhere: a slip must
 * not create a state root.
 */
export function parseJobOptions(
  options: JobOptions,
  { command, nowMs }: { readonly command: string; readonly nowMs: number },
): JobFieldsShape {
  const { mode, timezone, agent } = options;
  if (timezone !== undefined) parseTimeZone(timezone);
  const timing = findTiming(options, { command, nowMs });
  const notify =
    options.notify === undefined ? undefined : parseNotify(splitNotify(options.notify));
  if (timing.schedule !== undefined) settleSchedule(timing.schedule, nowMs);
  return {
    ...(agent === undefined ? {} : { agent_id: parseAgentArgument(agent, command) }),
    ...defined({ timezone }),
    ...timing,
    ...defined({ mode, notify }),
    ...(options['catch-up'] === undefined ? {} : { catch_up: options['catch-up'] }),
  };
}

export function readJobMessage(
  given: string | undefined,
  input: InputStream,
  command: string,
): Promise<string> {
  return readText(given === undefined ? [] : [given], input, {
    command,
    what: 'message',
    maxChars: MAX_JOB_MESSAGE_CHARS,
    hint: 'give it with --message, or on standard input',
  });
}

export function parseJobArgument(argument: string | undefined, command: string): string {
  return parseName(argument, {
    command,
    pattern: JOB_ID_PATTERN,
    what: 'the id of a job',
    hint: 'ids have 1 to 64 letters, digits, _ or -; claw schedule list shows them',
  });
}

type Timing = Pick<JobFieldsShape, 'schedule' | 'first_run_at' | 'timezone'>;

function findTiming(
  options: JobOptions,
  { command, nowMs }: { readonly command: string; readonly nowMs: number },
): Timing {
  const { every, in: delay, at, schedule, daily } = options;
  const given = [
    every === undefined ? undefined : `@every ${every}`,
    delay === undefined ? undefined : `@in ${delay}`,
    at,
    schedule,
  ].filter((text) => text !== undefined);
  if (given.length > 1) {
    throw parseError('only one of --every, --in, --at and --schedule can be given', {
      target: command,
    });
  }
  const time = at === undefined ? undefined : parseTimeOfDay(at);
  if (daily && time === undefined) {
    const hint = 'say --at 09:00 --daily, or --every 24h to begin now';
    throw parseError('option --daily needs --at with a time of day', { target: command, hint });
  }
  if (time === undefined) return given[0] === undefined ? {} : { schedule: given[0] };
  const timezone = options.timezone ?? systemTimeZone();
  const first = toZonedIso(nextLocalTime(time, timezone, nowMs), timezone);
  return daily
    ? { schedule: '@every 24h', first_run_at: first, timezone }
    : { schedule: first, timezone };
}

function splitNotify(text: string): { readonly channel: string; readonly target: string } {
  const colon = text.indexOf(':');
  if (colon === -1) return { channel: text, target: '' };
  return { channel: text.slice(0, colon), target: text.slice(colon + 1) };
}
