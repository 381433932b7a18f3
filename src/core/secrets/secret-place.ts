/**
 * Where the sealed document of all secrets lies: a file of the state root, or a row of the database that several nodes
 * share. It is replaced as a whole, so that values and the key they were sealed with always belong together.
 */
export interface SecretPlace {
  /** For messages. */
  readonly name: string;
  /** Whether other nodes write it too, each with a master key of its own keeping. */
  readonly isShared: boolean;
  /** Another one than before: the document was replaced. Cheap enough to ask before every step of a run. */
  readMark(): Promise<string>;
  /** With the mark it had at that moment or before. */
  read(): Promise<PlacedDocument>;
  /** Answers with the new mark; undefined when the document is no longer the one with this mark. */
  replace(text: string, mark: string): Promise<string | undefined>;
}

interface PlacedDocument {
  readonly mark: string;
  /** Undefined while nothing was ever stored. */
  readonly text: string | undefined;
}
