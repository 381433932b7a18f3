import type { Agent, AgentStatus } from '../agents/agent.ts';
import type { NewApproval } from '../approvals/approval.ts';
import type { EffectWrite } from '../effects/effect.ts';
import type { SealedDraft } from '../events/event.ts';
import type { AgentId, LeaseId, RunId, SessionId } from '../ids.ts';
import type { ForkPoint, Lease, Run, RunEnd, RunStatus, RunThread } from './run.ts';

/**
 * Durable runs and their event logs. Each method is one transaction: it is acknowledged after commit, and what must
 * be atomic is one method. `seq` is allocated under the run's row lock. The store's clock decides leases.
 */
export interface RunStore {
  /**
   * Row and first events together. With `lease`, the run is created already claimed, saving a round trip, unless it has
   * to wait behind an open run of its session or for its agent to wake up. A run with a session takes the session's next exchange.
   */
  create(
    run: NewRun,
    drafts: readonly SealedDraft[],
    options: CreateOptions,
  ): Promise<CreateResult>;

  find(id: RunId): Promise<Run | undefined>;

  /** Newest first. */
  list(filter: RunFilter): Promise<RunPage>;

  /**
   * The same by more. Of the runs that lists would find, the newest `MAX_SEARCHED_RUNS` are looked at for source and text: a
   * page may hold fewer runs than asked for, or none, and yet lead on. Letters from A to Z count in any case.
   */
  search(search: RunSearch): Promise<RunPage>;

  /**
   * Claims the oldest run that is queued, not held, and not behind an open run of its session, or whose lease has
   * expired. The
   * claim takes the run with a fresh lease and records `started` the first time, and `recovered` when an earlier lease
   * was lost or given back; for a run that comes back from waiting it records nothing. Concurrent claims never get the
   * same run.
   */
  claim(request: ClaimRequest): Promise<ClaimedRun | undefined>;

  /** Extends leases that are still held. Answers, per lease, whether it is held and whether a cancel was asked for. */
  renew(leases: readonly LeaseRef[], leaseMs: number): Promise<RenewedLease[]>;

  /** Gives runs back unfinished, so that another runner may claim them at once. */
  release(leases: readonly LeaseRef[]): Promise<void>;

  /**
   * Ends every lease held by owners with this prefix. Only for a starting server that holds the state root's lock:
   * whoever held these leases is gone. Returns how many runs it freed.
   */
  takeOver(ownerPrefix: string): Promise<number>;

  /**
   * Events and steps of the effect ledger together; either may be empty. A refusal writes neither. A step that does
   * not fit the state of its effect throws `internal` and writes nothing.
   */
  append(
    lease: LeaseRef,
    drafts: readonly SealedDraft[],
    effects?: readonly EffectWrite[],
  ): Promise<AppendResult>;

  /**
   * The last events, the terminal one at the end, and the row's end together. Gives the lease up. An effect that is
   * still open then is settled with it: `unknown` when it was sent, else `failed`. Nothing is written, and the lease
   * stays, when `end.unlessFrameAfter` finds a frame.
   */
  finish(
    lease: LeaseRef,
    drafts: readonly SealedDraft[],
    end: RunEnd,
    effects?: readonly EffectWrite[],
  ): Promise<FinishResult>;

  /**
   * Events, the question to a person, and the run's rest as `waiting` together. Gives the lease up; nobody can claim
   * the run until the question is decided or has expired. A run with a recorded wish to cancel does not wait: its
   * question is `denied` by `system`, and the next runner gets the run with the wish.
   */
  park(
    lease: LeaseRef,
    drafts: readonly SealedDraft[],
    approval: NewApproval,
  ): Promise<AppendResult>;

  /**
   * An input from outside the lease, once for each `frameId` of a run: its event and its row together. A run that rests
   * for want of frames goes to the queue. A run that has ended keeps the frame and nothing comes of it: no event.
   */
  acceptFrame(frame: NewFrame, draft: SealedDraft): Promise<AcceptResult>;

  /** Which of these runs have ever got a frame. */
  listWrittenTo(runIds: readonly RunId[]): Promise<RunId[]>;

  /**
   * Events, and the run's rest as `waiting` for its next frame. Gives the lease up. Not when a frame after
   * `framesThrough` is on record or a cancel was asked for: the events are written, and the lease stays.
   */
  rest(lease: LeaseRef, drafts: readonly SealedDraft[], framesThrough: number): Promise<RestResult>;

  /** Events and effect steps from outside the lease, of a run that has not ended: what a caller did in its name. */
  note(
    runId: RunId,
    drafts: readonly SealedDraft[],
    effects?: readonly EffectWrite[],
  ): Promise<NoteResult>;

  /**
   * Records a wish to cancel, from outside the lease. A run that nobody has claimed, also a waiting one, ends at once
   * with `cancelled`: its pending question is `denied` by `system`, its open effects are settled as in `finish`. A
   * claimed run turns `cancelling` and its runner ends it. Nothing is recorded, and the answer is stale, when nobody
   * holds the run and its log has gone on from where `ending` was made.
   */
  requestCancel(runId: RunId, drafts: CancelDrafts): Promise<CancelResult>;

  /**
   * Runs that ended and whose records are not all written yet, oldest first: only those that lack lines of the audit,
   * or have them all and lack their bundle, when one of the two is asked for.
   */
  listUnrecorded(limit: number, lacking?: RecordPart): Promise<RecordProgress[]>;

  /** How far the records of runs have got. Monotonic: a lower `seq` than the stored one changes nothing. */
  markRecorded(marks: readonly RecordMark[]): Promise<void>;

  /**
   * The agent's status and what it means for its runs, together: those in the queue of an agent that sleeps are held
   * there, and so is every run that it gets or that returns to the queue, until it is awake. False when there is no
   * such agent. A run under way goes on.
   */
  setAgentStatus(agentId: AgentId, status: AgentStatus): Promise<boolean>;

  /** Counts by status, for metrics and status pages. */
  countByStatus(): Promise<Record<RunStatus, number>>;
}

export interface NewRun {
  readonly id: RunId;
  readonly agentId: AgentId;
  /** Whom it acts for; the operator when left out. */
  readonly owner?: string;
  readonly sessionId?: SessionId;
  readonly projectId?: string;
  readonly source: string;
  readonly message: string;
  /**
   * A run that takes frames. It begins as `waiting` for its first one, is not claimed by its creation, and while it rests
   * it is in nobody's way: later runs of its session need not wait for it.
   */
  readonly thread?: RunThread;
  readonly forkedFrom?: ForkPoint;
}

export interface NewFrame {
  readonly runId: RunId;
  readonly frameId: string;
  /** Of type and payload as they were sent: the same frame again is known by it. */
  readonly digest: string;
  /** Refuse when the run has this many already. */
  readonly maxFrames: number;
  /** Asks nothing of the run: one at rest is not called for it. */
  readonly isSilent?: boolean;
  /** Refuse when the run has ended or is to be cancelled: what is not read by it is of no use. */
  readonly needsReader?: boolean;
}

export type AcceptResult =
  /** `seq` is that of its event; undefined when the run had ended. */
  | { readonly outcome: 'accepted'; readonly seq: number | undefined }
  | { readonly outcome: 'replayed' }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'full' }
  /** Nobody will read it; nothing is kept. */
  | { readonly outcome: 'closed'; readonly status: RunStatus };

export type RestResult =
  | { readonly outcome: 'rested' | 'has_frames' | 'cancelling'; readonly lastSeq: number }
  | Extract<AppendResult, { readonly outcome: 'refused' }>;

export type NoteResult =
  | { readonly outcome: 'appended'; readonly lastSeq: number }
  | { readonly outcome: 'refused'; readonly reason: 'terminal' };

export interface CreateOptions {
  /** Refuse when this many runs are queued already. */
  readonly maxQueued: number;
  /**
   * Refuse when this many runs of its session are queued already: what waits behind one run must not fill the queue
   * for everybody. Absent: no bound of its own.
   */
  readonly maxWaitingInSession?: number;
  /** The same key with the same digest answers with the first run; with another digest it is a conflict. */
  readonly idempotency?: { readonly key: string; readonly digest: string };
  readonly lease?: {
    readonly owner: string;
    readonly leaseMs: number;
    readonly started: SealedDraft;
  };
}

export type CreateResult =
  | { readonly outcome: 'created'; readonly run: Run; readonly lease: Lease | undefined }
  | { readonly outcome: 'replayed'; readonly run: Run }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'queue_full' }
  | { readonly outcome: 'session_full' }
  | { readonly outcome: 'session_missing' }
  | { readonly outcome: 'session_closed' };

export interface RunFilter {
  readonly status?: RunStatus;
  readonly agentId?: AgentId;
  readonly sessionId?: SessionId;
  readonly projectId?: string;
  /** Of this principal. The operator's lists hold everybody's. */
  readonly owner?: string;
  readonly limit: number;
  /** The id of the last run of the page before. */
  readonly before?: RunId;
}

export interface RunSearch extends RunFilter {
  /** One of these; absent: `status` says it. */
  readonly statuses?: readonly RunStatus[];
  readonly source?: string;
  /** What its message or its output says. */
  readonly text?: string;
  /** Created then or later. */
  readonly sinceMs?: number;
  /** Created before. */
  readonly untilMs?: number;
}

export const MAX_SEARCHED_RUNS = 1_000;

export interface RunPage {
  readonly runs: readonly Run[];
  /** Runs of this page whose rows are damaged; absent when there are none. `find` throws for them and names them. */
  readonly unreadable?: readonly RunId[];
  readonly next: RunId | undefined;
}

export interface ClaimRequest {
  readonly owner: string;
  readonly leaseMs: number;
  /** Claim this run or none: for a caller that executes its own run and nobody else's. */
  readonly only?: RunId;
  readonly started: SealedDraft;
  readonly recovered: SealedDraft;
}

export interface ClaimedRun {
  readonly run: Run;
  readonly lease: Lease;
  /** Whether somebody executed this run before: its log then holds more than its beginning. */
  readonly resumed: boolean;
  readonly cancelRequested: boolean;
  /** Claimed by whoever created it: its log holds nothing that the row does not say. */
  readonly isFresh?: true;
  /** As whoever created it found its agent a moment ago; else it is looked for. */
  readonly agent?: Agent;
}

export interface LeaseRef {
  readonly runId: RunId;
  readonly leaseId: LeaseId;
}

export interface RenewedLease extends LeaseRef {
  readonly held: boolean;
  readonly cancelRequested: boolean;
}

export type AppendResult =
  | { readonly outcome: 'appended'; readonly lastSeq: number }
  | { readonly outcome: 'refused'; readonly reason: 'terminal' | 'lost_lease' };

export type FinishResult = AppendResult | { readonly outcome: 'has_frames' };

export interface CancelDrafts {
  readonly requested: SealedDraft;
  /** Recorded after `requested` when nobody holds the run. */
  readonly cancelled: SealedDraft;
  /** What is known of a run that somebody executed before. Absent: the row keeps the totals it has, which are none. */
  readonly ending?: CancelEnding;
}

export interface CancelEnding {
  /** The last event that was looked at. */
  readonly atSeq: number;
  /** Results for the calls that are open; recorded between the other two, with their steps of the ledger. */
  readonly results: readonly SealedDraft[];
  readonly effects: readonly EffectWrite[];
  readonly end: RunEnd;
}

export interface CancelResult {
  readonly run: Run;
  /** True when this call recorded the wish; false when it was there already or the run had ended. */
  readonly recorded: boolean;
  /** The run has moved on: look again. */
  readonly isStale?: true;
}

export type RecordPart = 'lines' | 'bundle';

export interface RecordProgress {
  readonly run: Run;
  readonly auditedSeq: number;
  readonly bundled: boolean;
}

export interface RecordMark {
  readonly runId: RunId;
  readonly auditedSeq: number;
  readonly bundled: boolean;
}
