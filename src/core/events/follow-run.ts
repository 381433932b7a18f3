import type { RunId } from '../ids.ts';
import { takeTurn } from '../take-turn.ts';
import { isTerminalEvent, type NewsEvent } from './event.ts';
import { createFollowers, type FollowDeps, type Followers } from './followers.ts';

export interface TailRequest {
  readonly runId: RunId;
  /** May lie beyond the end: what comes before it is not wanted. */
  readonly after: number;
  /** How long to wait for the next event; counted anew after every page that brought one. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

interface FollowRequest extends TailRequest {
  /** Gives a page to the reader; nobody may change it. A promise: it has no room for more until that resolves. */
  readonly deliver: (page: readonly NewsEvent[]) => Promise<void> | undefined;
}

export type FollowRun = (request: FollowRequest) => Promise<void>;

/** A reader that stalls holds its page: with tool outputs of 64 KB each, a hundred events are 6 MB, and no more. */
const PAGE_SIZE = 100;

/**
 * The events of a run after a cursor, given to a reader in order and without gaps, until the run has ended, nothing came
 * for `idleMs`, or the reader left. Whoever is behind reads at its own pace. Those who have read everything are told of
 * news together: the log is read once for all of them, since a thousand readers would else read it a thousand times.
 *
 * Every round here has either given the reader something or ended a wait.
 */
export function createFollowRun(deps: FollowDeps): FollowRun {
  const groups = new Map<RunId, Followers>();

  function findGroup(runId: RunId): Followers {
    const known = groups.get(runId);
    if (known) return known;
    const onClosed = () => groups.delete(runId);
    const group = createFollowers(deps, { runId, pageSize: PAGE_SIZE, onClosed });
    groups.set(runId, group);
    return group;
  }

  return async ({ runId, after, idleMs, signal, deliver }) => {
    let cursor = after;
    let idleSinceMs = deps.clock.nowMs();
    while (!signal.aborted) {
      const page = await deps.log.read(runId, { after: cursor, limit: PAGE_SIZE });
      if (signal.aborted) return;
      const last = page.at(-1);
      if (last) {
        await deliver(page);
        if (isTerminalEvent(last)) return;
        cursor = last.seq;
        idleSinceMs = deps.clock.nowMs();
        if (page.length === PAGE_SIZE) {
          // There is more, and a log of a million events must not keep everybody else waiting.
          await takeTurn();
          continue;
        }
      }
      if (signal.aborted) return;
      const leftMs = idleSinceMs + idleMs - deps.clock.nowMs();
      if (leftMs <= 0) return;
      const parting = await findGroup(runId).join({ cursor, idleMs, leftMs, signal, deliver });
      if (parting.kind === 'over') return;
      await parting.room;
      cursor = parting.cursor;
      idleSinceMs = deps.clock.nowMs();
    }
  };
}
