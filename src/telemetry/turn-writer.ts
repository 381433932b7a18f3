export interface TurnWriter {
  write(line: string): void;
  /** Writes what is held now. */
  flush(): void;
}

/** A turn that says more than this is written in several pieces. */
const MAX_HELD_CHARS = 64 * 1024;

/**
 * Writes the lines of one turn of the event loop together: under load a system call for each line took as long as making
 * it. Whoever ends the process in the middle of a turn flushes first.
 */
export function createTurnWriter(write: (text: string) => unknown): TurnWriter {
  let held = '';
  let isDue = false;

  function flush(): void {
    if (held === '') return;
    const text = held;
    held = '';
    write(text);
  }

  function endTurn(): void {
    isDue = false;
    flush();
  }

  return {
    write(line) {
      held += line;
      if (!isDue) setImmediate(endTurn);
      isDue = true;
      if (held.length >= MAX_HELD_CHARS) flush();
    },
    flush,
  };
}
