import { RuntimeError } from '../../core/errors.ts';
import { MAX_TRANSCRIPT_LINE_CHARS } from '../../core/transcripts/decode-transcript.ts';
import { encodeMessage, encodePrompt } from '../../core/transcripts/encode-transcript.ts';
import type { TranscriptDocument } from '../../core/transcripts/transcript-document.ts';
import type { NewTranscript, TranscriptMessage } from '../../core/transcripts/transcript-store.ts';

/** One call's messages are one turn's; more is somebody's loop. */
const MAX_MESSAGES = 10_000;

export interface Moment {
  readonly nowMs: number;
  readonly workspaceRoot: string | undefined;
}

export function toNewDocument(content: NewTranscript, moment: Moment): TranscriptDocument {
  const { messages, model, promptHistory = [] } = content;
  const { nowMs, workspaceRoot } = moment;
  return {
    meta: {
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      parentId: undefined,
      workspaceRoot,
      model,
      record: {},
    },
    compaction: undefined,
    promptHistory,
    messages,
    lines: {
      compaction: undefined,
      promptHistory: promptHistory.map(encodePrompt),
      messages: encodeMessages(messages, nowMs),
    },
  };
}

export function withMessages(
  document: TranscriptDocument,
  messages: readonly TranscriptMessage[],
  nowMs: number,
): TranscriptDocument {
  const { meta, lines } = document;
  return {
    ...document,
    meta: { ...meta, updatedAtMs: Math.max(nowMs, meta.updatedAtMs ?? nowMs) },
    messages: [...document.messages, ...messages],
    lines: { ...lines, messages: [...lines.messages, ...encodeMessages(messages, nowMs)] },
  };
}

export function toForkedDocument(
  document: TranscriptDocument,
  parentId: string,
  { nowMs, workspaceRoot }: Moment,
): TranscriptDocument {
  return {
    ...document,
    meta: {
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      parentId,
      workspaceRoot,
      model: document.meta.model,
      record: {},
    },
  };
}

function encodeMessages(messages: readonly TranscriptMessage[], nowMs: number): string[] {
  if (messages.length > MAX_MESSAGES) {
    throw new RuntimeError('invalid_input', `${messages.length} messages at once are too many`, {
      details: { operation: 'append', hint: `at most ${MAX_MESSAGES}` },
    });
  }
  return messages.map((message) => {
    const line = encodeMessage(message, nowMs);
    if (line.length <= MAX_TRANSCRIPT_LINE_CHARS) return line;
    throw new RuntimeError('payload_too_large', 'a message is too long for a transcript', {
      details: { operation: 'append', hint: `at most ${MAX_TRANSCRIPT_LINE_CHARS} characters` },
    });
  });
}
