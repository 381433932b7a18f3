import { RuntimeError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { PROJECT_ID_PATTERN, PROJECT_ID_RULE } from '../projects/project-id.ts';
import type { Redactor } from '../redact/redact.ts';
import { MAX_TAGS } from './ingest-write.ts';
import type { NewMemory } from './memory-store.ts';

/** A text to remember, as callers bring it. */
export interface GivenMemory {
  readonly owner: string;
  /** Id, slug or name. */
  readonly agent: string;
  readonly projectId: string;
  readonly content: string;
  readonly source: string;
  readonly sessionId?: string;
  readonly tags?: readonly string[];
  readonly timestampMs?: number;
  readonly extra?: JsonObject;
  readonly priorityScore?: number;
  /** The owner's name for it: the same again is the same memory. */
  readonly key?: string;
  /** False for what strangers may have had a hand in, whatever its source says. */
  readonly isTrusted?: boolean;
  /** Seen by others even when its agent writes for itself. */
  readonly isShared?: boolean;
}

/** Code units, as all bounds of texts here. */
export const MAX_CONTENT_CHARS = 100_000;
const MAX_PROJECT_CHARS = 128;
export const MAX_SESSION_CHARS = 256;
const MAX_SOURCE_CHARS = 64;
export const MAX_TAG_CHARS = 64;
const MAX_KEY_CHARS = 256;
const MAX_EXTRA_CHARS = 16_384;
export const MAX_PRIORITY = 15;
const DEFAULT_PRIORITY = 5;
/** What a date can be: four digits for the year. */
const MAX_TIME_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Where the owner speaks. Whatever else a text comes from, strangers may have had a part in it. */
const TRUSTED_SOURCES = new Set(['chat', 'file', 'system']);

export function isTrustedSource(source: string): boolean {
  return TRUSTED_SOURCES.has(source.toLowerCase());
}

type Parsed = Omit<NewMemory, 'id' | 'owner' | 'agentId' | 'agentName' | 'isPrivate'>;

/** What is stored of what was given: within its bounds, and without secrets. */
export function parseGiven(given: GivenMemory, redactor: Redactor): Parsed {
  const { isTrusted = true, key } = given;
  const source = parseText(given.source, 'source', MAX_SOURCE_CHARS);
  return {
    ...parseFields({ ...given, tags: given.tags ?? [], extra: given.extra ?? {} }, redactor),
    source: redactor.redactText(source),
    timestampMs: given.timestampMs === undefined ? undefined : parseTime(given.timestampMs),
    key: key === undefined ? undefined : parseText(key, 'key', MAX_KEY_CHARS),
    isTrusted: isTrusted && isTrustedSource(source),
  };
}

type Fields = Pick<GivenMemory, 'content' | 'projectId' | 'sessionId' | 'priorityScore'> &
  Pick<NewMemory, 'tags' | 'extra'>;

function parseFields(given: Fields, redactor: Redactor) {
  const { sessionId, priorityScore = DEFAULT_PRIORITY } = given;
  return {
    content: parseContent(given.content, redactor),
    projectId: parseProject(given.projectId),
    sessionId:
      sessionId === undefined ? undefined : parseText(sessionId, 'session_id', MAX_SESSION_CHARS),
    tags: parseTags(given.tags, redactor),
    extra: parseExtra(given.extra, redactor),
    priorityScore: parsePriority(priorityScore),
  };
}

export function parseContent(content: string, redactor: Redactor): string {
  if (content.trim() === '') throw invalid('content must not be empty');
  if (content.length > MAX_CONTENT_CHARS) {
    throw new RuntimeError(
      'payload_too_large',
      `content must have at most ${MAX_CONTENT_CHARS} characters`,
      { details: { recovery_action: 'Split the text and ingest its parts with one session_id.' } },
    );
  }
  assertStorable(content, 'content');
  return redactor.redactText(content);
}

export function parseProject(projectId: string): string {
  const name = parseText(projectId, 'project_id', MAX_PROJECT_CHARS);
  if (!PROJECT_ID_PATTERN.test(name)) throw invalid(`project_id ${PROJECT_ID_RULE}`);
  return name;
}

export function parseTags(tags: readonly string[], redactor: Redactor): readonly string[] {
  if (tags.length > MAX_TAGS) throw invalid(`there may be at most ${MAX_TAGS} tags`);
  const parsed = tags.map((tag) => redactor.redactText(parseText(tag, 'tag', MAX_TAG_CHARS)));
  return [...new Set(parsed)];
}

export function parseExtra(extra: JsonObject, redactor: Redactor): JsonObject {
  const text = JSON.stringify(extra);
  if (text.length > MAX_EXTRA_CHARS)
    throw invalid(`metadata must have at most ${MAX_EXTRA_CHARS} characters of its own members`);
  return redactor.redact(extra, 'metadata').value;
}

export function parsePriority(score: number): number {
  if (Number.isInteger(score) && score >= 0 && score <= MAX_PRIORITY) return score;
  throw invalid(`priority_score must be a whole number from 0 to ${MAX_PRIORITY}`);
}

export function parseTime(ms: number): number {
  if (Number.isInteger(ms) && Math.abs(ms) <= MAX_TIME_MS) return ms;
  throw invalid('timestamp must be a date and time such as 2026-02-18T00:00:00Z');
}

export function parseText(text: string, name: string, maxChars: number): string {
  const trimmed = text.trim();
  if (trimmed === '') throw invalid(`${name} must not be empty`);
  if (trimmed.length > maxChars) throw invalid(`${name} must have at most ${maxChars} characters`);
  assertStorable(trimmed, name);
  return trimmed;
}

function assertStorable(text: string, name: string): void {
  if (text.includes('\0')) throw invalid(`${name} must not contain NUL characters`);
  if (!text.isWellFormed()) throw invalid(`${name} must be well-formed Unicode`);
}

export function invalid(message: string): RuntimeError {
  return new RuntimeError('invalid_input', message);
}
