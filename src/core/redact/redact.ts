import type { JsonValue } from '../json.ts';

/** What stands where a secret stood. Redacting a text that holds it already changes nothing. */
export const REDACTED = '[REDACTED]';

interface Redacted<T> {
  readonly value: T;
  /** JSON paths of what was replaced, in document order. */
  readonly paths: readonly string[];
}

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** A set of exact values, ready to be looked for. */
export interface KnownSecrets {
  readonly isEmpty: boolean;
  /** Where they stand, in whatever spelling. Overlapping occurrences are one interval, so that no half of either stays. */
  find(text: string): readonly Interval[];
  /** Where the end of a text begins that more text could turn into one of them. */
  unfinishedStart(text: string): number;
}

/** Takes secrets out of anything that will be stored, logged or sent. Ids and dates survive. */
export interface Redactor {
  /** Answers with the very same value when there was nothing to replace. */
  redact<T extends JsonValue>(value: T, path: string): Redacted<T>;
  redactText(text: string): string;
  /** The exact values it knows; a stream needs them to see one that arrives in two halves. */
  knownSecrets?(): KnownSecrets;
}
