import type { Event, SealedDraft } from '../events/event.ts';
import type { ChainPosition } from '../events/hash-chain.ts';
import type { AgentId, RunId, SessionId } from '../ids.ts';
import type { ForkPoint, RunEnd, RunThread } from '../runs/run.ts';
import type { EventListing, EventPage } from './event-listing.ts';

/** What a store tells about the rows of runs to whoever checks the records against them. */
export interface RecordStore {
  /** In the order of ids, last first. A row that can't be decoded is listed all the same, and hides no other. */
  listHeads(page: HeadPage): Promise<LogHead[]>;

  findHead(runId: RunId): Promise<LogHead | undefined>;

  /** Of all runs or of one, newest first as they were written. Throws `invalid_input` for a place that is none. */
  listEvents(page: EventPage): Promise<EventListing>;

  /** Of these runs, those whose records are this node's to write. Without other nodes: all. */
  listOwn(runIds: readonly RunId[]): Promise<readonly RunId[]>;

  /** Says that this node is there to write its records for so long. Nodes that are long gone are forgotten. */
  renewNode(leaseMs: number): Promise<void>;

  /**
   * Puts events back that the store has lost, as they were, with the run's row when that is gone too, and ends the run:
   * nobody knows what else of it was lost. Its open effects and questions are settled as when it is cancelled. Throws
   * `conflict`, and writes nothing, when the events do not follow on the last one that is there.
   */
  restore(run: RestoredRun): Promise<void>;
}

export interface RestoredRun {
  readonly runId: RunId;
  readonly agentId: AgentId;
  /** The last event that the store still has. */
  readonly after: ChainPosition;
  /** What follows on it. */
  readonly events: readonly Event[];
  /** Ends a run whose own end is not among the events. */
  readonly closing: SealedDraft | undefined;
  readonly end: RunEnd;
  /** What its row is made of, when that is gone. */
  readonly origin: RunOrigin | undefined;
}

export interface RunOrigin {
  /** The principal that the run acted for. */
  readonly owner: string;
  readonly source: string;
  readonly message: string;
  readonly sessionId: SessionId | undefined;
  readonly projectId: string | undefined;
  readonly thread: RunThread | undefined;
  readonly forkedFrom: ForkPoint | undefined;
  readonly createdAtMs: number;
  readonly startedAtMs: number | undefined;
  /** The same request answers with this run again. */
  readonly idempotency: { readonly key: string; readonly digest: string } | undefined;
}

export interface HeadPage {
  readonly limit: number;
  /** The last id of the page before. */
  readonly before?: RunId;
}

/** The row of a run, as stored: nobody promises that it fits its events. */
export interface LogHead {
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly status: string;
  /** Where the row says that the log ends. Undefined: it does not say, as that of an open run on SQLite. */
  readonly end: ChainPosition | undefined;
  /** The newest event that there is; 0 when there is none. */
  readonly lastSeq: number;
  /** With its hash. */
  readonly last: ChainPosition;
  readonly hasEnded: boolean;
  /** Where what is kept of the log begins. */
  readonly floor: ChainPosition;
  /** The node that writes its records. Undefined when nobody has claimed it, or where there are no others. */
  readonly recorder: string | undefined;
  /** All audit lines and the bundle are written, says the row. */
  readonly isRecorded: boolean;
  /** Lines up to this `seq` are written, says the row. */
  readonly auditedSeq: number;
  readonly texts: RowTexts | 'unreadable';
}

export interface RowTexts {
  readonly message: string;
  readonly output: string | undefined;
}
