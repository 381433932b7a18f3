import { RuntimeError } from '../errors.ts';
import type { RunId } from '../ids.ts';

/** Events after the cursor are no longer kept. A reader begins anew at the floor and knows that it missed some. */
export function staleCursor(runId: RunId, cursor: number, floor: number): RuntimeError {
  const message = `cursor ${cursor} of run ${runId} is stale: events up to ${floor} are no longer kept`;
  return new RuntimeError('stale_cursor', message, { details: { floor } });
}

export function isStaleCursor(thrown: unknown): boolean {
  return thrown instanceof RuntimeError && thrown.code === 'stale_cursor';
}
