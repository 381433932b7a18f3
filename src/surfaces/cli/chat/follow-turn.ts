import type { Clock } from '../../../core/clock.ts';
import { RuntimeError } from '../../../core/errors.ts';
import type { Event } from '../../../core/events/event.ts';
import type { RunId } from '../../../core/ids.ts';
import { isTerminal, type Run } from '../../../core/runs/run.ts';
import { isConnectionLoss } from '../remote/server-link.ts';
import type { ChatAccess } from './chat-access.ts';

export interface FollowTurn {
  readonly access: Pick<ChatAccess, 'runs' | 'idleMs'>;
  readonly runId: RunId;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onEvent: (event: Event) => void;
  /** The server does not answer; it is asked again. */
  readonly onLost: () => void;
}

/** How long a server may be away. The transport tries for ten seconds by itself; an upgrade takes longer. */
const MAX_AWAY_MS = 300_000;
const RETRY_MS = 500;

/**
 * Hands over every event of a run once, in order, until it has ended, however often the connection breaks. Throws
 * `cancelled` when the signal aborts.
 */
export async function followTurn(turn: FollowTurn): Promise<Run> {
  const { access, runId, clock, signal } = turn;
  let after = 0;
  let lostAtMs: number | undefined;
  for (;;) {
    try {
      for await (const page of access.runs.tail({ runId, after, idleMs: access.idleMs, signal })) {
        lostAtMs = undefined;
        for (const event of page) turn.onEvent(event);
        after = page.at(-1)?.seq ?? after;
      }
      if (signal.aborted) throw new RuntimeError('cancelled', `stopped watching run ${runId}`);
      const run = await access.runs.get(runId);
      lostAtMs = undefined;
      if (isTerminal(run.status) && after >= run.lastSeq) return run;
    } catch (thrown) {
      if (signal.aborted || !isConnectionLoss(thrown)) throw thrown;
      lostAtMs ??= clock.nowMs();
      if (clock.nowMs() - lostAtMs > MAX_AWAY_MS) throw thrown;
      turn.onLost();
      await clock.sleep(RETRY_MS, signal);
    }
  }
}
