import type { JsonObject } from '../json.ts';
import type {
  TranscriptCompaction,
  TranscriptMessage,
  TranscriptPrompt,
} from './transcript-store.ts';

/** A transcript as its file holds it: read for use, and beside that the lines, so that a rewrite loses nothing. */
export interface TranscriptDocument {
  readonly meta: TranscriptMeta;
  readonly compaction: TranscriptCompaction | undefined;
  readonly promptHistory: readonly TranscriptPrompt[];
  readonly messages: readonly TranscriptMessage[];
  readonly lines: TranscriptLines;
}

/** What the file does not say is undefined. */
export interface TranscriptMeta {
  readonly createdAtMs: number | undefined;
  /** The newest time that any record names. */
  readonly updatedAtMs: number | undefined;
  readonly parentId: string | undefined;
  readonly workspaceRoot: string | undefined;
  readonly model: string | undefined;
  /** The record itself, with members that are not ours. */
  readonly record: JsonObject;
}

interface TranscriptLines {
  readonly compaction: string | undefined;
  readonly promptHistory: readonly string[];
  readonly messages: readonly string[];
}

export type DecodedTranscript =
  | {
      readonly outcome: 'decoded';
      readonly document: TranscriptDocument;
      readonly hasTornTail: boolean;
    }
  /** `line` is undefined when it is not about one of them. */
  | { readonly outcome: 'corrupt'; readonly line: number | undefined; readonly reason: string };
