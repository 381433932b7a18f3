import type { AgentId, JobId, RunId } from '../ids.ts';
import type { RunStatus } from '../runs/run.ts';

export const JOB_MODES = ['isolated', 'main_like'] as const;
/** `isolated` runs start with a fresh context; `main_like` ones go on in the agent's main session. */
export type JobMode = (typeof JOB_MODES)[number];

export const NOTIFY_CHANNELS = ['none', 'session', 'agent'] as const;
/** Who is told what came of a run: nobody, a chat session, or the inbox of an agent. */
export type NotifyChannel = (typeof NOTIFY_CHANNELS)[number];

export interface Notify {
  readonly channel: NotifyChannel;
  /** A session id or an agent id; empty for `none`. */
  readonly target: string;
}

/** What becomes of slots that passed while nobody could fire them: nothing, or one run for all of them. */
export type CatchUp = 'none' | 'once';

/** A schedule entry that submits runs. */
export interface Job {
  readonly id: JobId;
  readonly agentId: AgentId;
  /** Whom its runs act for: `operator`, or a principal such as `user:42`. */
  readonly owner: string;
  /** `@every <duration>` or one moment in RFC 3339. */
  readonly schedule: string;
  readonly message: string;
  readonly mode: JobMode;
  readonly notify: Notify;
  readonly isEnabled: boolean;
  /** IANA name; how its times are shown to people. */
  readonly timezone: string;
  readonly catchUp: CatchUp;
  /** Slots of an interval are counted from here, so that they never drift. */
  readonly anchorMs: number;
  /** The next moment it is due; undefined when it is never due again. Kept while the job is disabled. */
  readonly nextSlotMs: number | undefined;
  /** Counts up with every change by a person: a slot is fired for the job as it was looked at, or not at all. */
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Why a slot was not fired. */
export const MISS_REASONS = [
  'late',
  'overlap',
  'capacity',
  'queue_full',
  'disabled',
  'failed',
] as const;
export type MissReason = (typeof MISS_REASONS)[number];

/** A stretch of slots of one job that nobody fired. */
export interface MissedSlots {
  readonly reason: MissReason;
  readonly firstSlotMs: number;
  readonly lastSlotMs: number;
  readonly count: number;
}

/** What became of a slot, or of a stretch of missed ones. */
export type Firing = FiredSlot | MissedFiring;

export interface FiredSlot {
  readonly outcome: 'fired';
  readonly jobId: JobId;
  readonly slotMs: number;
  readonly atMs: number;
  readonly runId: RunId;
  readonly runStatus: RunStatus;
}

interface MissedFiring extends MissedSlots {
  readonly outcome: 'missed';
  readonly jobId: JobId;
  readonly atMs: number;
}
