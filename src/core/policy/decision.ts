export type Decision =
  | { readonly decision: 'allow'; readonly reason: string }
  /** A person must say yes to exactly this call. */
  | { readonly decision: 'ask'; readonly reason: string; readonly message: string }
  | { readonly decision: 'deny'; readonly reason: string; readonly message: string };

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/** The strictest of several opinions; the first of equals, so that reasons come in a fixed order. */
export function strictest(decisions: readonly Decision[]): Decision {
  return decisions.reduce((worst, next) =>
    STRICTNESS[next.decision] > STRICTNESS[worst.decision] ? next : worst,
  );
}
