/** Transcripts of the command line: conversations as files that people and scripts can read without a server. */
export interface TranscriptStore {
  /** The folder that is looked into, as shown to people. */
  readonly directory: string;
  /** Last updated first. A missing folder holds none. */
  list(limit: number): Promise<TranscriptList>;
  /**
   * By id, path, or `latest`, `last`, `recent`. Throws `not_found` (thing `session`), `invalid_input` for a reference
   * that is none, or `storage_unavailable` with the kind `session_load_failed` in its details.
   */
  load(reference: string): Promise<Transcript>;
  /** Durable before it returns. Throws `conflict` when one with the id exists. */
  create(transcript: NewTranscript): Promise<Transcript>;
  /** Adds messages at the end, durable before it returns; all of them or none. */
  append(id: string, messages: readonly TranscriptMessage[]): Promise<Transcript>;
  /** Writes the whole file anew, atomically; an overgrown one is rotated. Takes references as `load` does. */
  snapshot(reference: string): Promise<Transcript>;
  /** A copy under a new id that says where it came from. */
  fork(reference: string, newId: string): Promise<Transcript>;
  /** False when there is none. Of several at once exactly one gets true. */
  remove(id: string): Promise<boolean>;
  /** A fresh id: `session-<ms>-<counter>`. */
  newId(): string;
}

export interface TranscriptList {
  readonly transcripts: readonly TranscriptSummary[];
  /** More exist than were asked for. */
  readonly isCut: boolean;
}

export interface TranscriptSummary {
  readonly id: string;
  readonly path: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly messageCount: number;
  readonly promptCount: number;
  /** False when the file can't be read as a transcript: it is listed with what its name says. */
  readonly isReadable: boolean;
}

export interface Transcript {
  readonly id: string;
  readonly path: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly workspaceRoot: string | undefined;
  readonly model: string | undefined;
  readonly parentId: string | undefined;
  readonly messages: readonly TranscriptMessage[];
  /** What came before the first message, once it was folded away. */
  readonly compaction: TranscriptCompaction | undefined;
  readonly promptHistory: readonly TranscriptPrompt[];
  /** Of all messages together. */
  readonly usage: TranscriptUsage;
  /** The last line was cut off by a crash; it was left out and goes with the next write. */
  readonly hasTornTail: boolean;
}

export interface TranscriptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly blocks: readonly TranscriptBlock[];
  readonly usage?: TranscriptUsage;
}

export type TranscriptBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: string;
    }
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      readonly toolName: string;
      readonly output: string;
      readonly isError: boolean;
    };

export interface TranscriptUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheCreationInputTokens?: number;
  readonly cacheReadInputTokens?: number;
}

export interface TranscriptCompaction {
  readonly count: number;
  readonly removedMessageCount: number;
  readonly summary: string;
}

export interface TranscriptPrompt {
  readonly atMs: number;
  readonly text: string;
}

export interface NewTranscript {
  readonly id: string;
  readonly model?: string;
  readonly messages: readonly TranscriptMessage[];
  readonly promptHistory?: readonly TranscriptPrompt[];
}
