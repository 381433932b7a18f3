/** Everything that a server has told its clients, to be held against what the log says at the end. */
export interface ClientMemory {
  /** One for each run that a server has answered for. */
  readonly runs: ClientRun[];
  /** What was wrong at once, without looking at the log. */
  readonly violations: string[];
  /** Requests that died with their server and were sent again. */
  retries: number;
}

export interface ClientRun {
  readonly id: string;
  readonly message: string;
  readonly readers: Reader[];
  readonly cancels: CancelAnswer[];
}

/** What one reader got, over all its connections, in order. */
export interface Reader {
  readonly events: ReceivedEvent[];
  /** Connections it took. */
  connections: number;
  isDone: boolean;
}

interface ReceivedEvent {
  readonly seq: number;
  /** Digest of the data as received, byte for byte. */
  readonly digest: string;
}

export interface CancelAnswer {
  readonly httpStatus: number;
  readonly status: string;
  readonly cancelRequested: boolean;
}

export function createClientMemory(): ClientMemory {
  return { runs: [], violations: [], retries: 0 };
}
