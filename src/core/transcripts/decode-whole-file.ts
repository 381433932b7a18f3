import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { decodeCompaction, decodeMessage, decodeUsage } from './decode-message.ts';
import { encodeCompaction, encodeMessage, encodePrompt } from './encode-transcript.ts';
import type { TranscriptDocument } from './transcript-document.ts';
import type { TranscriptMessage, TranscriptPrompt } from './transcript-store.ts';

/** Everything but the first record of a transcript that is one JSON object. */
export function decodeWholeFile(whole: JsonObject): Omit<TranscriptDocument, 'meta'> {
  const messages = withTotals(asList(whole['messages']).map(decodeEntry), whole);
  const promptHistory = asList(whole['prompt_history']).flatMap(decodePrompt);
  const folded = whole['compaction'];
  const compaction = folded === undefined || folded === null ? undefined : decodeCompaction(folded);
  return {
    compaction,
    promptHistory,
    messages,
    lines: {
      compaction: compaction === undefined ? undefined : encodeCompaction(compaction),
      promptHistory: promptHistory.map(encodePrompt),
      messages: messages.map((message) => encodeMessage(message, undefined)),
    },
  };
}

/** Some files hold only the prompts, as plain texts. */
function decodeEntry(value: JsonValue): TranscriptMessage {
  if (typeof value === 'string') return { role: 'user', blocks: [{ type: 'text', text: value }] };
  return decodeMessage(value);
}

/** Files with totals beside the messages know no usage of single ones: the last one carries it all. */
function withTotals(messages: TranscriptMessage[], whole: JsonObject): TranscriptMessage[] {
  const last = messages.at(-1);
  if (last === undefined || whole['input_tokens'] === undefined) return messages;
  if (messages.some(({ usage }) => usage !== undefined)) return messages;
  return [...messages.slice(0, -1), { ...last, usage: decodeUsage(whole) }];
}

function decodePrompt(value: JsonValue): TranscriptPrompt[] {
  if (!isJsonObject(value)) return [];
  const { timestamp_ms: atMs, text } = value;
  return typeof atMs === 'number' && typeof text === 'string' ? [{ atMs, text }] : [];
}

function asList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
