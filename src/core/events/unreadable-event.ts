import { RuntimeError } from '../errors.ts';
import type { RunId } from '../ids.ts';

/** What the store holds at this place of the log is no event: somebody or something changed its row. */
export function unreadableEvent(runId: RunId, seq: number, cause: unknown): RuntimeError {
  const message = `event ${seq} of run ${runId} can not be read: its row is damaged`;
  return new RuntimeError('internal', message, { cause, details: { run_id: runId, seq } });
}
