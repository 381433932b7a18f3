import { AGENT_REFERENCE_PATTERN, AGENT_REFERENCE_RULE } from '../agents/resolve-agent.ts';
import { RuntimeError } from '../errors.ts';
import { JOB_ID_PATTERN, type JobId } from '../ids.ts';
import {
  type CatchUp,
  JOB_MODES,
  type JobMode,
  NOTIFY_CHANNELS,
  type Notify,
  type NotifyChannel,
} from './job.ts';
import { isTimeZone } from './time-zone.ts';

/** The most a job may say to its agent. */
export const MAX_JOB_MESSAGE_CHARS = 32_768;

const CATCH_UPS: readonly CatchUp[] = ['none', 'once'];

export function parseJobId(given: string): JobId {
  if (JOB_ID_PATTERN.test(given)) return given as JobId;
  throw invalid('job_id', 'job_id must have 1 to 64 letters, digits, _ or -');
}

export function parseAgentReference(given: string): string {
  if (AGENT_REFERENCE_PATTERN.test(given)) return given;
  throw invalid('agent_id', `agent_id ${AGENT_REFERENCE_RULE}`);
}

export function parseMessage(given: string): string {
  if (given.trim() === '') throw invalid('message', 'message must not be empty');
  if (given.length > MAX_JOB_MESSAGE_CHARS) {
    throw invalid('message', `message must have at most ${MAX_JOB_MESSAGE_CHARS} characters`);
  }
  return given;
}

export function parseMode(given: string): JobMode {
  const mode = JOB_MODES.find((name) => name === given);
  if (mode) return mode;
  throw invalid('mode', `mode must be one of ${JOB_MODES.join(', ')}`);
}

export function parseCatchUp(given: string): CatchUp {
  const catchUp = CATCH_UPS.find((name) => name === given);
  if (catchUp) return catchUp;
  throw invalid('catch_up', `catch_up must be one of ${CATCH_UPS.join(', ')}`);
}

export function parseTimeZone(given: string): string {
  if (isTimeZone(given)) return given;
  const shown = JSON.stringify(given.slice(0, 64));
  throw invalid('timezone', `timezone ${shown} is not known: use an IANA name as Europe/Berlin`);
}

/** The shape only; whether its target exists is for the caller to ask. */
export function parseNotify(given: GivenNotify): Notify {
  const channel: NotifyChannel | undefined = NOTIFY_CHANNELS.find((name) => name === given.channel);
  if (!channel) {
    throw invalid('notify', `notify.channel must be one of ${NOTIFY_CHANNELS.join(', ')}`);
  }
  if (channel === 'none' && given.target !== '') {
    throw invalid('notify', 'notify.target must be empty when notify.channel is none');
  }
  if (channel !== 'none' && given.target === '') {
    throw invalid('notify', `notify.target must name the ${channel} to tell`);
  }
  return { channel, target: given.target };
}

export interface GivenNotify {
  readonly channel: string;
  readonly target: string;
}

export function invalid(field: string, message: string): RuntimeError {
  return new RuntimeError('invalid_input', message, { details: { field } });
}
