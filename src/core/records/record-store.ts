import type { ChainPosition } from '../events/hash-chain.ts';
import type { AgentId, RunId } from '../ids.ts';

/** What a store tells about the rows of runs to whoever checks the records against them. */
export interface RecordStore {
  /** In the order of ids, last first. A row that can't be decoded is listed all the same, and hides no other. */
  listHeads(page: HeadPage): Promise<LogHead[]>;

  findHead(runId: RunId): Promise<LogHead | undefined>;
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
  /** Where what is kept of the log begins. */
  readonly floor: ChainPosition;
  /** All audit lines and the bundle are written, says the row. */
  readonly isRecorded: boolean;
  readonly texts: RowTexts | 'unreadable';
}

export interface RowTexts {
  readonly message: string;
  readonly output: string | undefined;
}
