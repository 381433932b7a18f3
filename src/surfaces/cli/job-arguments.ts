import { JOB_ID_PATTERN } from '../../core/ids.ts';
import { JOB_MODES } from '../../core/schedule/job.ts';
import {
  MAX_JOB_MESSAGE_CHARS,
  parseNotify,
  parseTimeZone,
} from '../../core/schedule/job-fields.ts';
import type { UpdateJob } from '../../core/schedule/jobs.ts';
import { parseSchedule } from '../../core/schedule/parse-schedule.ts';
import { parseName } from './admin-arguments.ts';
import { parseAgentArgument } from './agent-arguments.ts';
import type { OptionValues } from './command.ts';
import type { InputStream } from './context.ts';
import { parseError } from './errors.ts';
import { readText } from './read-message.ts';

/** What a job is described by, when it is added and when it is changed. */
export const JOB_OPTIONS = {
  every: { kind: 'text', value: 'DURATION', summary: 'over and over: 30s, 1h30m, 24h' },
  at: { kind: 'text', value: 'TIME', summary: 'once, at a time with its offset' },
  schedule: { kind: 'text', value: 'TEXT', summary: 'either of the two, as it is stored' },
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
  timezone: { kind: 'text', value: 'ZONE', summary: 'in which its times are shown' },
  'catch-up': {
    kind: 'choice',
    value: 'RULE',
    choices: ['none', 'once'],
    summary: 'once: one run for all times that were missed',
  },
} as const;

export type JobOptions = OptionValues<typeof JOB_OPTIONS>;

/**
 * What the options say, in the words of the core. Refused here already when it makes no sense anywhere: a slip must
 * not create a state root.
 */
export function parseJobOptions(options: JobOptions, command: string): UpdateJob {
  const { mode, timezone, agent } = options;
  const schedule = findSchedule(options, command);
  const notify = options.notify === undefined ? undefined : splitNotify(options.notify);
  if (schedule !== undefined) parseSchedule(schedule);
  if (notify !== undefined) parseNotify(notify);
  if (timezone !== undefined) parseTimeZone(timezone);
  return {
    ...(agent === undefined ? {} : { agentId: parseAgentArgument(agent, command) }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(mode === undefined ? {} : { mode }),
    ...(notify === undefined ? {} : { notify }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(options['catch-up'] === undefined ? {} : { catchUp: options['catch-up'] }),
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

function findSchedule(options: JobOptions, command: string): string | undefined {
  const { every, at, schedule } = options;
  const given = [every === undefined ? undefined : `@every ${every}`, at, schedule].filter(
    (text) => text !== undefined,
  );
  if (given.length <= 1) return given[0];
  throw parseError('only one of --every, --at and --schedule can be given', { target: command });
}

function splitNotify(text: string): { readonly channel: string; readonly target: string } {
  const colon = text.indexOf(':');
  if (colon === -1) return { channel: text, target: '' };
  return { channel: text.slice(0, colon), target: text.slice(colon + 1) };
}
