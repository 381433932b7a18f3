import type { RunId } from '../ids.ts';
import { type Event, isTerminalEvent } from './event.ts';
import { createFollowers, type Followers } from './followers.ts';
import type { TailDeps, TailRequest } from './tail-run.ts';

export interface FollowRequest extends TailRequest {
  /** Gives a page to the reader; nobody may change it. A promise: he has no room for more until it resolves. */
  readonly deliver: (page: readonly Event[]) => Promise<void> | undefined;
}

export type FollowRun = (request: FollowRequest) => Promise<void>;

/** A reader that stalls holds its page: with tool outputs of 64 KB each, a hundred events are 6 MB, and no more. */
const PAGE_SIZE = 100;

/**
 * The events of a run after a cursor, given to a reader in order and without gaps, until the run has ended, nothing came
 * for `idleMs`, or the reader left. Whoever is behind reads at his own pace. Those who have read everything are told of
 * news together: the log is read once for all of them, since a thousand readers would else read it a thousand times.
 */
export function createFollowRun(deps: TailDeps): FollowRun {
  const groups = new Map<RunId, Followers>();

  function findGroup(runId: RunId, cursor: number): Followers {
    const known = groups.get(runId);
    if (known?.isOpen) return known;
    const onClosed = () => {
      if (groups.get(runId) === group) groups.delete(runId);
    };
    const group: Followers = createFollowers(deps, {
      runId,
      cursor,
      pageSize: PAGE_SIZE,
      onClosed,
    });
    groups.set(runId, group);
    return group;
  }

  return async ({ runId, after, idleMs, signal, deliver }) => {
    let cursor = after;
    let idleSinceMs = deps.clock.nowMs();
    while (!signal.aborted) {
      const page = await deps.log.read(runId, { after: cursor, limit: PAGE_SIZE });
      const last = page.at(-1);
      if (last) {
        await deliver(page);
        if (isTerminalEvent(last)) return;
        cursor = last.seq;
        idleSinceMs = deps.clock.nowMs();
        continue;
      }
      const group = findGroup(runId, cursor);
      const leftMs = idleSinceMs + idleMs - deps.clock.nowMs();
      const parting = await group.join({ cursor, idleMs, leftMs, signal, deliver });
      if (parting.kind === 'over') return;
      await parting.room;
      if (parting.cursor > cursor) idleSinceMs = deps.clock.nowMs();
      cursor = Math.max(cursor, parting.cursor);
    }
  };
}
