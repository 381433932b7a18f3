/** What is done to secrets from outside: nobody asks for a value. */
export interface SecretsAccess {
  /** Names, sorted. */
  list(): Promise<readonly string[]>;
  put(name: string, value: string): Promise<void>;
  /** Throws `not_found` when there is none. */
  remove(name: string): Promise<void>;
}
