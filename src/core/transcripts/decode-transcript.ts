import { RuntimeError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import {
  asObject,
  asText,
  asTime,
  badRecord,
  decodeCompaction,
  decodeMessage,
} from './decode-message.ts';
import { decodeWholeFile } from './decode-whole-file.ts';
import type {
  DecodedTranscript,
  TranscriptDocument,
  TranscriptMeta,
} from './transcript-document.ts';
import type {
  TranscriptCompaction,
  TranscriptMessage,
  TranscriptPrompt,
} from './transcript-store.ts';
import { isTimeMs } from './transcript-time.ts';

/** A longer one was not written by us; reading it would take memory that nobody expects. */
export const MAX_TRANSCRIPT_LINE_CHARS = 8 * 1024 * 1024;

/** `body` are the lines that end in a line break, `tail` is what stands behind the last one. */
export function decodeTranscript(body: string, tail: string): DecodedTranscript {
  const whole = findWholeFile(body + tail);
  if (whole !== undefined) return decodeWhole(whole);
  const reader = new RecordReader();
  const lines = body.split('\n');
  for (const [index, line] of lines.entries()) {
    const reason = reader.read(line);
    if (reason !== undefined) return { outcome: 'corrupt', line: index + 1, reason };
  }
  // A prefix of a JSON object is never JSON: what can be read was written whole, up to its line break.
  const hasTornTail = reader.read(tail) !== undefined;
  if (reader.isEmpty) {
    return { outcome: 'corrupt', line: undefined, reason: 'it holds no complete record' };
  }
  return { outcome: 'decoded', document: reader.finish(), hasTornTail };
}

class RecordReader {
  #meta: JsonObject = {};
  #newestMs: number | undefined;
  #compaction: TranscriptCompaction | undefined;
  #compactionLine: string | undefined;
  readonly #promptHistory: TranscriptPrompt[] = [];
  readonly #messages: TranscriptMessage[] = [];
  readonly #promptLines: string[] = [];
  readonly #messageLines: string[] = [];
  isEmpty = true;

  /** Answers with what is wrong with the line. */
  read(line: string): string | undefined {
    if (line.trim() === '') return undefined;
    if (line.length > MAX_TRANSCRIPT_LINE_CHARS) return 'it is too long';
    try {
      this.#take(parseRecord(line), line);
      this.isEmpty = false;
      return undefined;
    } catch (error) {
      if (error instanceof RuntimeError) return error.message;
      throw error;
    }
  }

  #take(record: JsonObject, line: string): void {
    switch (record['type']) {
      case 'session_meta':
        decodeMeta(record, undefined);
        assertWritable(record);
        this.#meta = record;
        return;
      case 'message': {
        this.#messages.push(decodeMessage(record['message']));
        this.#messageLines.push(line);
        const atMs = record['timestamp_ms'];
        // Not ours to insist on: others write messages without one.
        if (isTimeMs(atMs)) this.#newestMs = Math.max(atMs, this.#newestMs ?? 0);
        return;
      }
      case 'compaction':
        this.#compaction = decodeCompaction(record);
        this.#compactionLine = line;
        return;
      case 'prompt_history':
        this.#takePrompt(record, line);
        return;
      default:
        throw badRecord('its type is unknown');
    }
  }

  /** A convenience for whoever types: one that can't be read must not cost the conversation. */
  #takePrompt({ timestamp_ms: atMs, text }: JsonObject, line: string): void {
    this.#promptLines.push(line);
    if (typeof atMs === 'number' && typeof text === 'string') {
      this.#promptHistory.push({ atMs, text });
    }
  }

  finish(): TranscriptDocument {
    return {
      meta: decodeMeta(this.#meta, this.#newestMs),
      compaction: this.#compaction,
      promptHistory: this.#promptHistory,
      messages: this.#messages,
      lines: {
        compaction: this.#compactionLine,
        promptHistory: this.#promptLines,
        messages: this.#messageLines,
      },
    };
  }
}

function parseRecord(line: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw badRecord('it is not valid JSON');
  }
  if (!isJsonObject(value)) throw badRecord('it is not an object');
  return value;
}

/** Its unknown members are written again, and what can be read may be nested too deeply for that. */
function assertWritable(record: JsonObject): void {
  try {
    JSON.stringify(record);
  } catch {
    throw badRecord('it is nested too deeply');
  }
}

const VERSION = 1;

function decodeMeta(record: JsonObject, newestMs: number | undefined): TranscriptMeta {
  const { version, created_at_ms: created, updated_at_ms: updated, fork } = record;
  if (version !== undefined && version !== VERSION) {
    throw badRecord('it was written by another version of the format');
  }
  const text = (name: string) =>
    record[name] === undefined || record[name] === null ? undefined : asText(record[name], name);
  const time = (value: typeof created, name: string) =>
    value === undefined ? undefined : asTime(value, name);
  const updatedAtMs = time(updated, 'updated_at_ms');
  const parent =
    fork === undefined || fork === null ? undefined : asObject(fork, 'fork')['parent_session_id'];
  return {
    createdAtMs: time(created, 'created_at_ms'),
    updatedAtMs: newestMs === undefined ? updatedAtMs : Math.max(newestMs, updatedAtMs ?? newestMs),
    parentId: parent === undefined ? undefined : asText(parent, 'fork.parent_session_id'),
    workspaceRoot: text('workspace_root'),
    model: text('model'),
    record,
  };
}

/** The older format is one JSON object with all messages in it, in one line or many. */
function findWholeFile(text: string): JsonObject | undefined {
  const end = text.indexOf('\n');
  const first = findObject(end === -1 ? text : text.slice(0, end));
  if (first !== undefined && 'type' in first) return undefined;
  const whole = first !== undefined && text.slice(end).trim() === '' ? first : findObject(text);
  return whole !== undefined && Array.isArray(whole['messages']) ? whole : undefined;
}

function findObject(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function decodeWhole(whole: JsonObject): DecodedTranscript {
  try {
    const record = toMetaRecord(whole);
    assertWritable(record);
    const meta = decodeMeta(record, undefined);
    const document = { meta, ...decodeWholeFile(whole) };
    return { outcome: 'decoded', document, hasTornTail: false };
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    return { outcome: 'corrupt', line: undefined, reason: error.message };
  }
}

const META_MEMBERS = ['created_at_ms', 'updated_at_ms', 'fork', 'workspace_root', 'model'];

function toMetaRecord(whole: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => META_MEMBERS.includes(name)));
}
