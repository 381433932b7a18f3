import type { SealedDraft } from '../events/event.ts';
import type { AgentId, JobId, RunId } from '../ids.ts';
import type { NewMail } from '../mail/mail.ts';
import type { Lease, Run } from '../runs/run.ts';
import type { CreateOptions, NewRun } from '../runs/run-store.ts';
import type { SealedMessage } from '../sessions/session.ts';
import type { FiredSlot, Firing, Job, MissedSlots } from './job.ts';

/** Durable jobs and what became of their slots. Each method is one transaction; the store's clock says what is due. */
export interface JobStore {
  create(job: NewJob, bounds: JobBounds): Promise<CreateJobResult>;

  find(id: JobId): Promise<Job | undefined>;

  /** By id. */
  list(filter: JobFilter): Promise<JobPage>;

  /**
   * Replaces what a person may change. Undefined when the job does not exist, or no longer has the given revision:
   * a next slot that was worked out for an older job must not be written over a newer one.
   */
  update(id: JobId, change: JobChange, revision?: number): Promise<Job | undefined>;

  /** Runs it made stay; its firings go. False when there is none. */
  remove(id: JobId): Promise<boolean>;

  /** Enabled jobs whose slot has come, the most overdue first, and when the next one after them is due. */
  listDue(limit: number): Promise<DueJobs>;

  /**
   * Claims a slot and creates its run, together: whoever comes second finds the slot taken. Missed slots before it
   * are recorded with it. Nothing is written unless the outcome is `fired`.
   */
  fire(firing: FireSlot): Promise<FireResult>;

  /** Records slots as missed and moves on to the next one. False when the job has changed or moved on since. */
  skip(skipped: SkipSlots): Promise<boolean>;

  /** Newest first. */
  listFirings(filter: FiringFilter): Promise<FiringPage>;

  /** The newest fired slot of each of these jobs, in any order. One that has none is left out. */
  listLastFired(ids: readonly JobId[]): Promise<FiredSlot[]>;

  /** All jobs at a glance, without reading each. */
  summarize(): Promise<JobSummary>;

  /** Slots whose runs have ended and whose outcome nobody was told yet, oldest first. */
  listUnsettled(limit: number): Promise<UnsettledFiring[]>;

  /**
   * Marks a fired slot as told, and delivers the notice, together. A notice to a session that is gone or closed, or
   * to an agent that is gone, is dropped. False when it was told before.
   */
  settle(firing: FiringRef, notice: Notice | undefined): Promise<boolean>;

  /** Whether all firing is held back. */
  isPaused(): Promise<boolean>;
  setPaused(isPaused: boolean): Promise<void>;
}

export type NewJob = Omit<Job, 'revision' | 'createdAtMs' | 'updatedAtMs'>;

export interface JobBounds {
  readonly maxJobs: number;
  /** Jobs of the new one's owner; left out, only the other bound holds. */
  readonly maxOfOwner?: number;
}

export type CreateJobResult =
  | { readonly outcome: 'created'; readonly job: Job }
  | { readonly outcome: 'exists' }
  | { readonly outcome: 'full' }
  | { readonly outcome: 'owner_full' };

export type JobChange = Partial<Omit<NewJob, 'id' | 'owner'>>;

export interface JobFilter {
  readonly agentId?: AgentId;
  /** Of this principal. The operator's lists hold everybody's. */
  readonly owner?: string;
  readonly limit: number;
  /** The last job of the page before. */
  readonly after?: JobId;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  readonly next: JobId | undefined;
}

export interface JobSummary {
  /** Whether all firing is held back. */
  readonly isPaused: boolean;
  readonly jobCount: number;
  /** The enabled job that is due first. */
  readonly next: { readonly jobId: JobId; readonly slotMs: number } | undefined;
}

export interface DueJobs {
  readonly nowMs: number;
  readonly isPaused: boolean;
  readonly jobs: readonly Job[];
  /** The earliest slot of an enabled job that is not due yet. */
  readonly nextSlotMs: number | undefined;
}

/** The slot as the job stood when somebody looked: `revision` and `slotMs` must still be its own. */
export interface SlotClaim {
  readonly jobId: JobId;
  readonly revision: number;
  /** The job's `nextSlotMs`. */
  readonly dueSlotMs: number;
  /** Its `nextSlotMs` from now on; undefined: never again, and the job is disabled. */
  readonly nextSlotMs: number | undefined;
  /** Firings of the job that are remembered; older ones that are settled go with this write. Absent: 200. */
  readonly keepFirings?: number;
}

export interface FireSlot extends SlotClaim {
  /** The slot the run is for: `dueSlotMs`, or the newest of those that have passed since. */
  readonly slotMs: number;
  readonly missed: MissedSlots | undefined;
  readonly run: NewRun;
  readonly drafts: readonly SealedDraft[];
  readonly options: Omit<CreateOptions, 'idempotency'>;
  /** Open runs of all jobs together. */
  readonly maxOpenRuns: number;
}

export type FireResult =
  | { readonly outcome: 'fired'; readonly run: Run; readonly lease: Lease | undefined }
  /** Fired by somebody else, changed, removed, disabled or paused meanwhile. */
  | { readonly outcome: 'taken' }
  /** The run of an earlier slot of this job goes on. */
  | { readonly outcome: 'overlap'; readonly runId: RunId }
  /** `maxOpenRuns` are open. */
  | { readonly outcome: 'capacity' }
  | { readonly outcome: 'queue_full' }
  /** Too many runs wait in the session of this one. Other jobs may fire all the same. */
  | { readonly outcome: 'session_full' };

export interface SkipSlots extends SlotClaim {
  readonly missed: MissedSlots;
}

export interface FiringFilter {
  readonly jobId: JobId;
  readonly limit: number;
  /** From the page before. */
  readonly before?: number;
}

export interface FiringPage {
  readonly firings: readonly Firing[];
  readonly next: number | undefined;
}

export interface FiringRef {
  readonly jobId: JobId;
  readonly slotMs: number;
  readonly runId: RunId;
}

export interface UnsettledFiring extends FiringRef {
  readonly job: Job;
  readonly run: Run;
}

export type Notice =
  | { readonly channel: 'session'; readonly sessionId: string; readonly message: SealedMessage }
  | { readonly channel: 'agent'; readonly mail: NewMail };
