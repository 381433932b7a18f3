import type { Event } from '../events/event.ts';
import type { ChainPosition } from '../events/hash-chain.ts';
import type { RunPart } from './run-part.ts';

/** Reading the audit files and bundles of a state root, to check them. */
export interface AuditReader {
  /** Follows the chain of every run of a part. It may come back with a smaller part than it was given. */
  check(request: AuditCheckRequest): Promise<AuditFilesReport>;

  /** Looks again for the lines of a few runs. A run without any is left out. */
  findLines(
    runIds: ReadonlySet<string>,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<string, AuditedLines>>;

  /** How far the runs go that are among the newest lines: a bounded look at the end of the newest files. */
  readNewest(): Promise<ReadonlyMap<string, Pick<AuditedChain, 'last' | 'agentId' | 'place'>>>;

  /** All events that the lines of a few runs hold, by `seq`, without those that were given up. */
  readEvents(runIds: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly Event[]>>;

  /** What the run's bundle holds as the hash of an event: a third copy. Undefined when it can't tell. */
  findBundledHash(agentId: string, runId: string, seq: number): Promise<string | undefined>;
}

interface AuditCheckRequest {
  readonly part: RunPart;
  /** This run instead of all. */
  readonly only?: string;
  readonly signal?: AbortSignal;
}

/** What checking the audit files on disk found. */
export interface AuditFilesReport {
  readonly files: number;
  readonly lines: number;
  readonly runs: number;
  /** Runs whose lines the operator gave up, wholly or in part, because the log had lost them. */
  readonly acceptedLosses: number;
  /** The node that these are the files of; undefined when it is the only one. */
  readonly node: string | undefined;
  /** In the order found; of each run the first. */
  readonly faults: readonly AuditFileFault[];
  /** False when the signal came before the last line: faults that only the rest can tell are left out. */
  readonly isComplete: boolean;
  /** How far the lines of each run go. */
  readonly chains: ReadonlyMap<string, AuditedChain>;
  /** What the signed heads say; undefined when only some runs were looked at. */
  readonly signatures: SignatureReport | undefined;
  /** The runs that this is about. */
  readonly part: RunPart;
  /** What there was no room for. */
  readonly rest: readonly RunPart[];
}

/** What files tell that somebody was handed, without the state root they are from. */
export interface GivenFilesReport {
  readonly files: number;
  readonly lines: number;
  readonly runs: number;
  readonly signatures: SignatureReport;
  /** In the order of files and lines. */
  readonly faults: readonly AuditFileFault[];
}

export interface SignatureReport {
  readonly heads: number;
  /** Lines that a good head stands for. */
  readonly signedLines: number;
  /** Lines that no head stands for: from before there were any, or waiting for the next one. */
  readonly unsignedLines: number;
  /** The time of the newest good head. */
  readonly signedThroughMs: number | undefined;
  /** Of all that signed. */
  readonly keyIds: readonly string[];
}

export interface AuditedChain {
  /** The last line of an unbroken chain. */
  readonly last: ChainPosition;
  readonly agentId: string;
  /** Of that line. */
  readonly place: LinePlace | undefined;
  /** A fault of it is among those reported; what comes after it was not followed. */
  readonly isFaulty: boolean;
}

export interface LinePlace {
  /** Relative to the state root. */
  readonly file: string;
  readonly line: number;
}

export interface AuditedLines {
  /** The one with the highest `seq`. */
  readonly last: ChainPosition;
  /** By `seq`; of a very long run not all. */
  readonly lines: ReadonlyMap<number, AuditedLine>;
}

export interface AuditedLine extends LinePlace {
  readonly hash: string;
}

export interface AuditFileFault extends LinePlace {
  readonly kind: string;
  readonly runId: string | undefined;
  readonly seq: number | undefined;
  /** The last line, when it is about several. */
  readonly through?: number;
  /** The file's last line, without its end: somebody may be writing it. */
  readonly isUnfinished?: boolean;
}
