import type { Clock } from '../../../../core/clock.ts';
import { isTerminalEvent, type NewsEvent } from '../../../../core/events/event.ts';
import type { TailRequest } from '../../../../core/events/follow-run.ts';
import type { RunReader } from '../../../../core/runs/runs.ts';

const POLL_MS = 500;

/** Without a server nobody tells a reader of the database what other processes commit: it looks again and again. */
export async function* tailByPolling(
  runs: Pick<RunReader, 'tail'>,
  clock: Pick<Clock, 'nowMs'>,
  request: TailRequest,
): AsyncGenerator<readonly NewsEvent[]> {
  const { idleMs, signal } = request;
  const pollMs = Math.min(idleMs, POLL_MS);
  let { after } = request;
  for (
    let quietSinceMs = clock.nowMs();
    !signal.aborted && clock.nowMs() - quietSinceMs < idleMs;
  ) {
    for await (const page of runs.tail({ ...request, after, idleMs: pollMs })) {
      yield page;
      const last = page.at(-1);
      if (last === undefined) continue;
      if (isTerminalEvent(last)) return;
      after = last.seq;
      quietSinceMs = clock.nowMs();
    }
  }
}
