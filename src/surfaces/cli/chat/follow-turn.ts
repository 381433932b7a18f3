import type { Clock } from '../../../core/clock.ts';
import { RuntimeError } from '../../../core/errors.ts';
import { isTerminal } from '../../../core/runs/run.ts';
import type { RunDetail, RunEvent } from '../../../operations/runs/run-shapes.ts';
import { getRun, type RunReading } from '../../../operations/runs/runs.ts';
import { tailRun } from '../ask/ask-runs.ts';
import type { Way } from '../ask/ask-runtime.ts';
import { isConnectionLoss } from '../remote/server-link.ts';

export interface FollowTurn {
  readonly way: Pick<Way<RunReading>, 'ask' | 'stream'>;
  readonly runId: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
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
export async function followTurn(turn: FollowTurn): Promise<RunDetail> {
  const { way, runId, clock, signal } = turn;
  let after = 0;
  let lostAtMs: number | undefined;
  for (;;) {
    try {
      for await (const page of tailRun(way, { runId, after, signal })) {
        lostAtMs = undefined;
        for (const event of page) turn.onEvent(event);
        after = page.at(-1)?.seq ?? after;
      }
      if (signal.aborted) throw new RuntimeError('cancelled', `stopped watching run ${runId}`);
      const run = await way.ask(getRun, { params: { run_id: runId } });
      lostAtMs = undefined;
      if (isTerminal(run.status) && after >= run.last_seq) return run;
    } catch (thrown) {
      if (signal.aborted || !isConnectionLoss(thrown)) throw thrown;
      lostAtMs ??= clock.nowMs();
      if (clock.nowMs() - lostAtMs > MAX_AWAY_MS) throw thrown;
      turn.onLost();
      await clock.sleep(RETRY_MS, signal);
    }
  }
}
