import { RuntimeError } from '../errors.ts';
import type { Place } from '../sessions/session.ts';
import { createSlidingWindow, type SlidingWindow } from './sliding-window.ts';

export interface MessageLimits {
  /** Of one user in one room. */
  readonly rateLimitPerMin: number;
  /** Of everybody together. */
  readonly globalRateLimitPerMin: number;
}

export interface MessageRate {
  /** Counts a message, or throws `rate_limited`. A refused one is not counted. */
  take(place: Place, limits: MessageLimits): void;
}

const WINDOW_MS = 60_000;

/** Far more than write within a minute; beyond it, who has been silent longest is forgotten. */
const MAX_WRITERS = 10_000;

/** Messages of the last minute, in this process. */
export function createMessageRate(nowMs: () => number): MessageRate {
  const everybody = createSlidingWindow(WINDOW_MS);
  // In the order of their last message, so the first one has been silent longest.
  const writers = new Map<string, SlidingWindow>();

  function forgetSilent(now: number): void {
    for (const [key, writer] of writers) {
      if (writer.size(now) > 0 && writers.size <= MAX_WRITERS) return;
      writers.delete(key);
    }
  }

  return {
    take({ userId, roomId }, limits) {
      const now = nowMs();
      const globalWaitMs = everybody.waitMs(now, limits.globalRateLimitPerMin);
      if (globalWaitMs > 0) {
        throw limited('all users together', limits.globalRateLimitPerMin, globalWaitMs);
      }
      // No name holds a slash, so no two pairs share a key.
      const key = `${userId}/${roomId}`;
      const writer = writers.get(key) ?? createSlidingWindow(WINDOW_MS);
      const waitMs = writer.waitMs(now, limits.rateLimitPerMin);
      if (waitMs > 0) {
        throw limited(`user ${userId} in room ${roomId}`, limits.rateLimitPerMin, waitMs);
      }
      everybody.add(now);
      writer.add(now);
      writers.delete(key);
      writers.set(key, writer);
      forgetSilent(now);
    },
  };
}

function limited(who: string, limit: number, waitMs: number): RuntimeError {
  return new RuntimeError('rate_limited', `chat takes ${limit} messages a minute of ${who}`, {
    details: { part: 'chat', retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)) },
  });
}
