import { RuntimeError, toRuntimeError } from './core/errors.ts';

/** Closes one thing. What is under way in it may take up to `graceMs` to end by itself. */
type Close = (graceMs: number) => void | Promise<void>;

/** Takes note of what was opened, right when it is. */
export interface Closing {
  add(close: Close): void;
}

/** Everything that was opened, to be closed in the reverse order. */
export interface ClosingList extends Closing {
  /** For what can be closed at the same time. All of it has the place of the group. */
  addGroup(): Closing;
  /**
   * Closes one after the other, whatever becomes of each; the first failure is thrown at the end. A second call waits
   * for the first.
   */
  close(graceMs: number): Promise<void>;
}

export function createClosingList(): ClosingList {
  const groups: Close[][] = [];
  let closing: Promise<void> | undefined;

  function addTo(group: Close[], close: Close): void {
    if (closing) throw new RuntimeError('internal', 'something was opened while all was closed');
    group.push(close);
  }

  function addGroup(): Closing {
    const group: Close[] = [];
    groups.push(group);
    return { add: (close) => addTo(group, close) };
  }

  return {
    addGroup,
    add: (close) => addGroup().add(close),
    close(graceMs) {
      closing ??= closeAll(groups, graceMs);
      return closing;
    },
  };
}

async function closeAll(groups: readonly (readonly Close[])[], graceMs: number): Promise<void> {
  const failures: unknown[] = [];
  for (const group of groups.toReversed()) {
    const ends = await Promise.allSettled(group.map(async (close) => close(graceMs)));
    failures.push(...ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])));
  }
  if (failures.length > 0) throw toRuntimeError(failures[0]);
}

/** Opens one thing after the other. When one fails, those before it are closed again, at once. */
export async function openInOrder<T>(open: (closing: ClosingList) => Promise<T>): Promise<T> {
  const closing = createClosingList();
  try {
    return await open(closing);
  } catch (error) {
    // Why it could not be opened matters more than what goes wrong while tidying up.
    await closing.close(0).catch(() => {});
    throw error;
  }
}
