import type { RunId } from '../ids.ts';
import { giveSpent } from './run-ledger.ts';
import { dayOf } from './scope.ts';
import type { Spent } from './spent.ts';
import { type CostStore, MAX_CLOSED_AT_ONCE } from './stored-costs.ts';

/** A run that has ended, and what it has spent by its whole log. */
export interface EndedRun {
  readonly runId: RunId;
  readonly projectId: string | undefined;
  readonly agentId: string;
  /** The last one it asked, as `provider/name`. */
  readonly model: string | undefined;
  readonly endedAtMs: number;
  readonly spent: Spent;
}

/** Counts what ended runs have spent, each once however often it is told. */
export function createCloseRuns(store: Pick<CostStore, 'listLedgers' | 'close'>) {
  return async (ended: readonly EndedRun[]): Promise<void> => {
    for (let first = 0; first < ended.length; first += MAX_CLOSED_AT_ONCE) {
      await close(store, ended.slice(first, first + MAX_CLOSED_AT_ONCE));
    }
  };
}

async function close(
  store: Pick<CostStore, 'listLedgers' | 'close'>,
  runs: readonly EndedRun[],
): Promise<void> {
  const ledgers = await store.listLedgers(runs.map(({ runId }) => runId));
  const known = new Map(ledgers.map((ledger) => [ledger.runId, ledger]));
  const open = runs.filter(({ runId, spent }) => {
    const ledger = known.get(runId);
    // Who asked no model has nothing to count, unless it was lost while it asked: then something is held.
    return ledger === undefined ? spent.attempts > 0 : ledger.closedAtMs === undefined;
  });
  if (open.length === 0) return;
  await store.close(
    open.map(({ runId, projectId, agentId, model, endedAtMs, spent }) => ({
      run: { runId, projectId, agentId, model },
      spent: giveSpent(spent),
      day: dayOf(endedAtMs),
      heldDay: known.get(runId)?.heldDay,
    })),
  );
}
