/**
 * A nonce is kept this much longer than its token is good for: the clock that judges tokens is not the store's, and while
 * the one is behind the other a token would have a second life.
 */
export const CLOCK_DIFFERENCE_MS = 60_000;

/** More than the one a use adds: the expired ones get fewer, and no request waits for many of them. */
export const MAX_PURGED_BY_USE = 4;
