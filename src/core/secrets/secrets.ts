/** Values that go in and never come out again, except to the code that uses them. */
export interface Secrets {
  /** Names, sorted. */
  list(): Promise<SecretName[]>;
  /** For the one who uses it: the value must not be stored, logged or answered. */
  find(name: string): Promise<string | undefined>;
  /** Throws `invalid_input` for a name or a value that can't be kept, `conflict` when there is no room. */
  put(name: string, value: string): Promise<void>;
  /** False when there is none. */
  remove(name: string): Promise<boolean>;
  /** Encrypts everything under a new master key. Answers how many values it moved. */
  rotate(rotation?: SecretRotation): Promise<number>;
  /**
   * Learns what others changed. When it returns, `values` holds everything that was acknowledged before it was called.
   * Throws when there are secrets that can't be opened: nothing may be recorded then, because nobody knows what to strike.
   */
  refresh(): Promise<void>;
  /**
   * Whatever must not appear anywhere, for the redactor: every value that `find` may have handed out, and the key.
   * As last read, without touching the disk.
   */
  values(): readonly string[];
}

export interface SecretName {
  readonly name: string;
  readonly updatedAtMs: number;
}

export interface SecretRotation {
  /** 32 bytes in base64 or hex. Needed when the present key was handed in and is not ours to replace. */
  readonly newKey?: string;
}

export const SECRET_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
export const MAX_SECRET_NAME_CHARS = 128;
export const MAX_SECRET_CHARS = 65_536;
export const MAX_SECRETS = 1_000;
