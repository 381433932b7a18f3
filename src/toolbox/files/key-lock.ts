/** Lets one holder at a time have a key, in order of asking. */
export interface KeyLock {
  /** Resolves when the key is free; the returned function gives it back. */
  acquire(key: string): Promise<() => void>;
  /** Keys that are held or waited for. */
  readonly size: number;
}

export function createKeyLock(): KeyLock {
  const tails = new Map<string, Promise<void>>();
  return {
    async acquire(key) {
      const before = tails.get(key);
      let open = () => {};
      const tail = new Promise<void>((resolve) => {
        open = resolve;
      });
      tails.set(key, tail);
      await before;
      return () => {
        if (tails.get(key) === tail) tails.delete(key);
        open();
      };
    },

    get size() {
      return tails.size;
    },
  };
}
