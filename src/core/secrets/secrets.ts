/** Values that go in and never come out again, except to the code that uses them. */
export interface Secrets {
  /** Names, sorted. */
  list(): Promise<SecretName[]>;
  /** For the one who uses it: the value must not be stored, logged or answered. */
  find(name: string): Promise<string | undefined>;
  put(name: string, value: string): Promise<void>;
  /** False when there is none. */
  remove(name: string): Promise<boolean>;
  /** Encrypts everything under a fresh master key. Answers how many values it moved. */
  rotate(): Promise<number>;
  /** All values, for the redactor: as last read, without touching the disk. */
  values(): readonly string[];
}

export interface SecretName {
  readonly name: string;
  readonly updatedAtMs: number;
}

export const SECRET_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
export const MAX_SECRET_NAME_CHARS = 128;
export const MAX_SECRET_CHARS = 65_536;
