import { type AgentDirectory, resolveAgent, toAgentId } from '../agents/resolve-agent.ts';
import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import type { JobId, SessionId } from '../ids.ts';
import { OPERATOR } from '../principal.ts';
import type { Redactor } from '../redact/redact.ts';
import { sessionNotFound } from '../sessions/session-not-found.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { Job, Notify } from './job.ts';
import {
  type GivenNotify,
  invalid,
  parseAgentReference,
  parseCatchUp,
  parseMessage,
  parseMode,
  parseNotify,
  parseTimeZone,
} from './job-fields.ts';
import type { JobChange, NewJob } from './job-store.ts';
import { findMoment, parseSchedule, settleSchedule } from './parse-schedule.ts';
import { findSeries } from './plan-due.ts';
import { slotAfter } from './slots.ts';

/** A job as a caller describes it, not yet checked. */
export interface GivenJob {
  /** By id, slug or name. */
  readonly agentId: string;
  /** Whose it is; the operator's when left out. It never changes hands. */
  readonly owner?: string;
  /** Also `@in <duration>`, which is stored as the moment it means. */
  readonly schedule: string;
  /** When an interval is due first, in RFC 3339; its other slots are counted from there. */
  readonly firstRunAt?: string;
  readonly message: string;
  readonly mode?: string;
  readonly notify?: GivenNotify;
  readonly isEnabled?: boolean;
  readonly timezone?: string;
  readonly catchUp?: string;
}

export interface JobDrafts {
  create(id: JobId, given: GivenJob): Promise<NewJob>;
  /** What is different; empty when nothing is. */
  change(job: Job, given: Partial<GivenJob>): Promise<JobChange>;
  /** Whether a job is the one described. Somebody may have paused it since. */
  compare(job: Job, given: GivenJob): Promise<boolean>;
}

export interface JobDraftsDeps {
  readonly agents: AgentDirectory;
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

type Described = Pick<
  NewJob,
  'agentId' | 'schedule' | 'message' | 'mode' | 'notify' | 'timezone' | 'catchUp'
>;

/** Checks what callers give and turns it into what is stored. */
export function createJobDrafts(deps: JobDraftsDeps): JobDrafts {
  const redact = (message: string) => deps.redactor.redactText(message);

  async function parse(given: GivenJob, fromMs: number): Promise<Described> {
    const message = redact(parseMessage(given.message));
    return { ...(await parseFields(given, fromMs)), message };
  }

  async function parseFields(
    given: Omit<GivenJob, 'message'>,
    fromMs: number,
  ): Promise<Omit<Described, 'message'>> {
    return {
      agentId: await toAgentId(deps.agents, parseAgentReference(given.agentId)),
      schedule: settleSchedule(given.schedule, fromMs),
      mode: parseMode(given.mode ?? 'isolated'),
      notify: await nameReceiver(parseNotify(given.notify ?? { channel: 'none', target: '' })),
      timezone: parseTimeZone(given.timezone ?? 'UTC'),
      catchUp: parseCatchUp(given.catchUp ?? 'none'),
    };
  }

  async function nameReceiver(notify: Notify): Promise<Notify> {
    if (notify.channel !== 'agent') return notify;
    return { ...notify, target: await toAgentId(deps.agents, parseAgentReference(notify.target)) };
  }

  async function assertTarget(notify: Notify): Promise<void> {
    if (notify.channel === 'agent') await resolveAgent(deps.agents, notify.target);
    if (notify.channel === 'session') await assertOpenSession(deps, notify.target);
  }

  return {
    async create(id, given) {
      const nowMs = deps.clock.nowMs();
      const described = await parse(given, nowMs);
      await resolveAgent(deps.agents, described.agentId);
      await assertTarget(described.notify);
      const slots = startSlots(described.schedule, nowMs, given.firstRunAt);
      const { owner = OPERATOR, isEnabled = true } = given;
      return { id, owner, ...described, ...slots, isEnabled };
    },

    async change(job, given) {
      // A stored message is not checked again: without its secrets it may be longer than one that is given.
      const message =
        given.message === undefined ? job.message : redact(parseMessage(given.message));
      const nowMs = deps.clock.nowMs();
      const wanted = { ...(await parseFields({ ...job, ...given }, nowMs)), message };
      const draft = pickDifferent(job, wanted);
      if (draft.agentId !== undefined) await resolveAgent(deps.agents, wanted.agentId);
      if (draft.notify !== undefined) await assertTarget(wanted.notify);
      const isEnabled = given.isEnabled ?? job.isEnabled;
      const isRestarted = draft.schedule !== undefined || !isCountedFrom(job, given.firstRunAt);
      return {
        ...draft,
        ...(isEnabled === job.isEnabled ? {} : { isEnabled }),
        // Said even when it stays: the last slot of the old schedule may fire meanwhile, which disables the job.
        ...(isRestarted
          ? { ...startSlots(wanted.schedule, nowMs, given.firstRunAt), isEnabled }
          : {}),
        ...(!isRestarted && isEnabled && !job.isEnabled
          ? { nextSlotMs: resumeSlots(job, nowMs) }
          : {}),
      };
    },

    async compare(job, given) {
      if (job.owner !== (given.owner ?? OPERATOR)) return false;
      // What was stored before a secret was known still holds it.
      const known = { ...job, message: redact(job.message) };
      // A moment that was given from now on meant the now of its first creation.
      const wanted = await parse(given, job.anchorMs);
      const isSame = Object.keys(pickDifferent(known, wanted)).length === 0;
      return isSame && isCountedFrom(job, given.firstRunAt);
    },
  };
}

function pickDifferent(job: Job, wanted: Described): Partial<Described> {
  const differs = (name: keyof Described) =>
    name === 'notify'
      ? job.notify.channel !== wanted.notify.channel || job.notify.target !== wanted.notify.target
      : job[name] !== wanted[name];
  const names = (Object.keys(wanted) as (keyof Described)[]).filter(differs);
  return Object.fromEntries(names.map((name) => [name, wanted[name]]));
}

/** An interval begins now, and its first slot is one interval away, unless it is said when that is. */
function startSlots(
  text: string,
  nowMs: number,
  firstRunAt: string | undefined,
): Pick<NewJob, 'anchorMs' | 'nextSlotMs'> {
  const schedule = parseSchedule(text);
  if (firstRunAt !== undefined) {
    if (schedule.kind !== 'every') {
      throw invalid('first_run_at', 'first_run_at belongs to a schedule of the form @every');
    }
    const firstMs = parseMoment(firstRunAt);
    if (firstMs <= nowMs) {
      throw invalid('first_run_at', `first_run_at ${JSON.stringify(firstRunAt)} is in the past`);
    }
    return { anchorMs: firstMs - schedule.everyMs, nextSlotMs: firstMs };
  }
  if (schedule.kind === 'every') {
    return { anchorMs: nowMs, nextSlotMs: nowMs + schedule.everyMs };
  }
  if (schedule.atMs <= nowMs) {
    throw invalid('schedule', `schedule ${JSON.stringify(text)} is in the past`);
  }
  return { anchorMs: nowMs, nextSlotMs: schedule.atMs };
}

/** Whether the slots of a job are those that a first one stands for, today or on a later day. */
function isCountedFrom(job: Job, firstRunAt: string | undefined): boolean {
  if (firstRunAt === undefined) return true;
  const series = findSeries(job);
  return series !== undefined && (parseMoment(firstRunAt) - series.anchorMs) % series.everyMs === 0;
}

const MAX_MOMENT_CHARS = 64;

function parseMoment(text: string): number {
  const atMs = text.length > MAX_MOMENT_CHARS ? undefined : findMoment(text.trim());
  if (atMs !== undefined) return atMs;
  throw invalid(
    'first_run_at',
    'first_run_at must be one moment in RFC 3339 with its offset, as in "2026-02-18T09:00:00Z"',
  );
}

/**
 * Slots that passed meanwhile are nobody's loss: the job was not meant to run. The stored slot is a floor, because
 * everything before it has been dealt with: after a jump of the clock backwards no slot comes twice.
 */
function resumeSlots(job: Job, nowMs: number): number {
  const series = findSeries(job);
  if (series) return Math.max(job.nextSlotMs ?? 0, slotAfter(series, nowMs));
  if (job.nextSlotMs !== undefined && job.nextSlotMs > nowMs) return job.nextSlotMs;
  throw invalid(
    'schedule',
    `job ${job.id} was due once, at ${job.schedule}, and that is over: give it a new schedule`,
  );
}

async function assertOpenSession(deps: JobDraftsDeps, id: string): Promise<void> {
  const session = await deps.sessions.find(id as SessionId);
  if (!session) throw sessionNotFound(id);
  if (session.closedAtMs === undefined) return;
  throw new RuntimeError('conflict', `session ${id} is closed`, { details: { session_id: id } });
}
