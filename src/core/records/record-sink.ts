import type { AgentId, RunId } from '../ids.ts';

/**
 * Files that people and other programs read: audit lines and run bundles. They are derived from the log and can be
 * written again from it; a crash between writing and marking is healed by asking what is there already. One process
 * writes the records of a state root: two would write every line twice.
 */
export interface RecordSink {
  /** Appends lines to the agent's audit files. Existing lines are never rewritten. */
  appendAudit(agentId: AgentId, lines: readonly AuditText[]): Promise<void>;

  /**
   * The highest `seq` of each run that the agent's audit files hold; a run without lines is left out. Reads files, so
   * it is only for runs whose progress nobody remembers: after a crash, and after a failed append.
   */
  findAuditedSeqs(
    agentId: AgentId,
    runs: readonly AuditedRun[],
  ): Promise<ReadonlyMap<RunId, number>>;

  /** Signs lines that have waited for their head long enough. True when it wrote any. */
  seal(): Promise<boolean>;

  /** Makes the lines appended so far survive a power loss. */
  sync(): Promise<void>;

  /** Writes all files of a run's bundle or none; writing it again replaces it. */
  writeBundle(bundle: Bundle): Promise<void>;

  /** Whether the run's bundle is there and undamaged. */
  hasBundle(agentId: AgentId, runId: RunId): Promise<boolean>;

  close(): Promise<void>;
}

export interface AuditText {
  readonly atMs: number;
  /** One JSON object without a line break. */
  readonly json: string;
}

export interface AuditedRun {
  readonly id: RunId;
  /** When the run began: older files need not be read. */
  readonly sinceMs: number;
}

export interface Bundle {
  readonly runId: RunId;
  readonly agentId: AgentId;
  /** File name to content. */
  readonly files: ReadonlyMap<string, string>;
}
