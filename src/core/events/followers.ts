import type { RunId } from '../ids.ts';
import { type Event, isTerminalEvent } from './event.ts';
import { runTopic } from './event-log.ts';
import type { TailDeps } from './tail-run.ts';

export interface Follower {
  readonly cursor: number;
  /** How long to wait for each event, and what is left of it for the next one. */
  readonly idleMs: number;
  readonly leftMs: number;
  readonly signal: AbortSignal;
  readonly deliver: (page: readonly Event[]) => Promise<void> | undefined;
}

/** Why a reader is told no more: he needs nothing, or he has to read on by himself when he has room. */
export type Parting =
  | { readonly kind: 'over' }
  | { readonly kind: 'behind'; readonly cursor: number; readonly room: Promise<void> | undefined };

/** Readers of one run that have all read to its end. */
export interface Followers {
  /** False once everybody has left: the next reader needs others. */
  readonly isOpen: boolean;
  join(follower: Follower): Promise<Parting>;
}

export interface FollowedRun {
  readonly runId: RunId;
  readonly cursor: number;
  readonly pageSize: number;
  readonly onClosed: () => void;
}

interface Member {
  readonly follower: Follower;
  /** When he has waited long enough. */
  deadlineMs: number;
  part(parting: Parting): void;
  fail(error: unknown): void;
}

const OVER: Parting = { kind: 'over' };

export function createFollowers(deps: TailDeps, followed: FollowedRun): Followers {
  const members = new Set<Member>();
  const ending = new AbortController();
  const patience = createPatience(deps.clock, members);
  let { cursor } = followed;
  let isLed = false;

  function leave(member: Member): void {
    members.delete(member);
    if (members.size > 0) return;
    patience.stop();
    ending.abort();
  }

  function tell(page: readonly Event[], isLast: boolean): void {
    const nowMs = deps.clock.nowMs();
    for (const member of members) {
      const news = newsFor(member, page);
      const room = news.length === 0 ? undefined : member.follower.deliver(news);
      if (isLast) member.part(OVER);
      else if (room) member.part({ kind: 'behind', cursor, room });
      else if (news.length > 0) member.deadlineMs = nowMs + member.follower.idleMs;
    }
  }

  async function lead(): Promise<void> {
    const { runId, pageSize: limit } = followed;
    try {
      // Subscribe before the first read: an event committed between the two would wake nobody.
      const wakeup = deps.wakeups.subscribe(runTopic(runId));
      try {
        while (!ending.signal.aborted) {
          const page = await deps.log.read(runId, { after: cursor, limit });
          const last = page.at(-1);
          if (last) {
            cursor = last.seq;
            tell(page, isTerminalEvent(last));
          } else {
            await wakeup.next({ signal: ending.signal });
          }
        }
      } finally {
        wakeup.close();
      }
    } catch (error) {
      for (const member of members) member.fail(error);
    } finally {
      ending.abort();
      followed.onClosed();
    }
  }

  return {
    get isOpen() {
      return !ending.signal.aborted;
    },

    async join(follower) {
      if (follower.cursor < cursor) {
        return { kind: 'behind', cursor: follower.cursor, room: undefined };
      }
      if (follower.leftMs <= 0 || follower.signal.aborted) return OVER;
      const deadlineMs = deps.clock.nowMs() + follower.leftMs;
      const parted = new Promise<Parting>((resolve, reject) => {
        members.add(createMember({ follower, deadlineMs, leave, resolve, reject }));
      });
      patience.watch(deadlineMs);
      if (!isLed) void lead();
      isLed = true;
      return parted;
    },
  };
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

/** One timer for all: with every event each deadline moves on, and a thousand timers would have to be set anew. */
function createPatience(clock: TailDeps['clock'], members: ReadonlySet<Member>) {
  let cancel: (() => void) | undefined;
  let firesAtMs = Number.POSITIVE_INFINITY;

  function watch(deadlineMs: number): void {
    if (deadlineMs >= firesAtMs) return;
    cancel?.();
    firesAtMs = deadlineMs;
    cancel = clock.after(Math.max(1, deadlineMs - clock.nowMs()), sweep);
  }

  function sweep(): void {
    firesAtMs = Number.POSITIVE_INFINITY;
    const nowMs = clock.nowMs();
    let next = Number.POSITIVE_INFINITY;
    for (const member of members) {
      if (member.deadlineMs <= nowMs) member.part(OVER);
      else next = Math.min(next, member.deadlineMs);
    }
    if (next !== Number.POSITIVE_INFINITY) watch(next);
  }

  return { watch, stop: () => cancel?.() };
}

/** A cursor beyond the end is legal: what lies before it is not wanted. */
function newsFor({ follower }: Member, page: readonly Event[]): readonly Event[] {
  const [first] = page;
  const isAhead = first !== undefined && follower.cursor >= first.seq;
  return isAhead ? page.filter(({ seq }) => seq > follower.cursor) : page;
}
