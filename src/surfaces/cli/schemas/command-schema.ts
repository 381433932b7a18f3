import type { Members } from './json-schema.ts';

/** What a command adds to the envelope. */
export interface CommandSchema {
  /** Members that a document of success always has. */
  readonly fields: Members;
  /** Members that are there when there is something to say. */
  readonly optional?: Members;
  /** Members that only a failure has beside `error`. */
  readonly failure?: Members;
}
