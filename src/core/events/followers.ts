import type { Clock } from '../clock.ts';
import type { RunId } from '../ids.ts';
import { isTerminalEvent, type NewsEvent } from './event.ts';
import { type EventNews, runTopic, type Subscription, type Wakeups } from './event-log.ts';
import { createPatience } from './patience.ts';
import { isStaleCursor } from './stale-cursor.ts';

export interface FollowDeps {
  readonly log: Pick<EventNews, 'read'>;
  readonly wakeups: Pick<Wakeups, 'subscribe'>;
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
}

interface Follower {
  readonly cursor: number;
  /** How long to wait for each event, and what is left of it for the next one. */
  readonly idleMs: number;
  readonly leftMs: number;
  readonly signal: AbortSignal;
  readonly deliver: (page: readonly NewsEvent[]) => Promise<void> | undefined;
}

/** Why a reader is told no more: it needs nothing, or it got events and has no room for others until `room` resolves. */
type Parting =
  | { readonly kind: 'over' }
  | { readonly kind: 'full'; readonly cursor: number; readonly room: Promise<void> };

/** Readers of one run that wait for what comes after their cursors. */
export interface Followers {
  /** Never answers before something happened: news, the end of its time, or the reader's leaving. */
  join(follower: Follower): Promise<Parting>;
}

export interface FollowedRun {
  readonly runId: RunId;
  readonly pageSize: number;
  /** Everybody has left: the next reader needs others. */
  readonly onClosed: () => void;
}

interface Member {
  readonly follower: Follower;
  /** The last `seq` it was given, or wants nothing up to. */
  cursor: number;
  /** When it has waited long enough. */
  deadlineMs: number;
  part(parting: Parting): void;
  fail(error: unknown): void;
}

const OVER: Parting = { kind: 'over' };
/** Why a wait ends early. Named, since without a reason an error with its stack is made of each. */
const LOOK = 'look';

/**
 * The log is read for all, from the lowest cursor among them. Where the group stands follows from its members at each
 * reading, and is not kept: no cursor, however far beyond the end, says anything about where the log ends.
 */
export function createFollowers(deps: FollowDeps, followed: FollowedRun): Followers {
  const members = new Set<Member>();
  const patience = createPatience(deps.clock, members, (member: Member) => member.part(OVER));
  /** Aborts the wait under way: somebody has to be looked for, or nobody is left. */
  let interrupt = new AbortController();
  /** Below this the last reading tells nothing of what there is now. */
  let lookedFrom = 0;
  let isLed = false;

  function leave(member: Member): void {
    members.delete(member);
    if (members.size > 0) return;
    patience.stop();
    interrupt.abort(LOOK);
  }

  function failAll(error: unknown): void {
    for (const member of members) member.fail(error);
  }

  /**
   * Gives out the events after the lowest cursor; false when there were no more than that. What is committed after the
   * reading wakes us, so nobody has to look again. Readers whose events are gone hear of it, and the others are none the
   * worse.
   */
  async function passOnNews(): Promise<boolean> {
    const after = lowestCursor(members);
    lookedFrom = after;
    try {
      const { runId, pageSize: limit } = followed;
      const page = await deps.log.read(runId, { after, limit });
      const last = page.at(-1);
      if (!last) return false;
      lookedFrom = last.seq;
      tell(members, { page, after, isLast: isTerminalEvent(last), nowMs: deps.clock.nowMs() });
      return page.length === limit;
    } catch (thrown) {
      if (!isStaleCursor(thrown)) throw thrown;
      for (const member of members) if (member.cursor <= after) member.fail(thrown);
    }
    return true;
  }

  async function waitForNews(wakeup: Subscription): Promise<void> {
    const isWoken = await wakeup.next({ signal: interrupt.signal });
    if (interrupt.signal.aborted) interrupt = new AbortController();
    // Nobody will wake us any more: the store is closing.
    else if (!isWoken) for (const member of members) member.part(OVER);
  }

  async function lead(): Promise<void> {
    try {
      // Subscribe before the first read: an event committed between the two would wake nobody.
      const wakeup = deps.wakeups.subscribe(runTopic(followed.runId));
      try {
        while (members.size > 0) {
          const mayHaveMore = await passOnNews();
          if (!mayHaveMore && members.size > 0) await waitForNews(wakeup);
        }
      } finally {
        wakeup.close();
      }
    } catch (error) {
      failAll(error);
    } finally {
      followed.onClosed();
    }
  }

  return {
    join(follower) {
      if (follower.signal.aborted) return Promise.resolve(OVER);
      const deadlineMs = deps.clock.nowMs() + follower.leftMs;
      const parted = new Promise<Parting>((resolve, reject) => {
        members.add(createMember({ follower, deadlineMs, leave, resolve, reject }));
      });
      patience.watch(deadlineMs);
      // What it has not seen may have come before it did, and nobody is woken for it again.
      if (follower.cursor < lookedFrom) interrupt.abort(LOOK);
      if (!isLed) void lead();
      isLed = true;
      return parted;
    },
  };
}

interface News {
  readonly page: readonly NewsEvent[];
  /** Where the page was read from. Who came meanwhile, with a lower cursor, would miss what lies between. */
  readonly after: number;
  readonly isLast: boolean;
  readonly nowMs: number;
}

function tell(members: ReadonlySet<Member>, { page, after, isLast, nowMs }: News): void {
  for (const member of members) {
    if (member.cursor < after) continue;
    try {
      const room = give(member, page, nowMs);
      if (isLast) member.part(OVER);
      else if (room) member.part({ kind: 'full', cursor: member.cursor, room });
    } catch (error) {
      member.fail(error);
    }
  }
}

/** A cursor beyond the end is legal: what lies before it is not wanted. */
function give(
  member: Member,
  page: readonly NewsEvent[],
  nowMs: number,
): Promise<void> | undefined {
  const isWhole = member.cursor < (page[0]?.seq ?? 0);
  const news = isWhole ? page : page.filter(({ seq }) => seq > member.cursor);
  const last = news.at(-1);
  if (!last) return undefined;
  member.cursor = last.seq;
  member.deadlineMs = nowMs + member.follower.idleMs;
  return member.follower.deliver(news);
}

function lowestCursor(members: ReadonlySet<Member>): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const { cursor } of members) lowest = Math.min(lowest, cursor);
  return lowest;
}

interface NewMember extends Pick<Member, 'follower' | 'deadlineMs'> {
  readonly leave: (member: Member) => void;
  readonly resolve: (parting: Parting) => void;
  readonly reject: (error: unknown) => void;
}

function createMember({ follower, deadlineMs, leave, resolve, reject }: NewMember): Member {
  const end = () => member.part(OVER);
  const close = () => {
    follower.signal.removeEventListener('abort', end);
    leave(member);
  };
  const member: Member = {
    follower,
    cursor: follower.cursor,
    deadlineMs,
    part(parting) {
      close();
      resolve(parting);
    },
    fail(error) {
      close();
      reject(error);
    },
  };
  follower.signal.addEventListener('abort', end, { once: true });
  return member;
}
