import type { JsonObject } from '../../../core/json.ts';

/** What the documents of all commands are made of: the data that the build writes and `claw schema` reads. */
export interface CommandSchemas {
  /** The envelopes, and what several commands speak of, by name. */
  readonly $defs: JsonObject;
  /** What each command adds to the envelope, by its whole name. */
  readonly commands: Readonly<Record<string, AnswerSchema>>;
}

/** As the build writes it, of a shape: JSON Schema of an object. */
interface AnswerSchema {
  readonly properties: JsonObject;
  /** Members that a document of success always has. */
  readonly required?: readonly string[];
}

/** A name to save a document's schema under. */
export function toSchemaFile(command: string): string {
  return `${command.replaceAll(' ', '-')}.schema.json`;
}
