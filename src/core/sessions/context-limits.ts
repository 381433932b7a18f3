/** How much of a conversation a model gets to see, in code points. */
export interface ContextLimits {
  /** One replayed message. */
  readonly maxMessageChars: number;
  /** The parts of a tool's message. */
  readonly maxSummaryChars: number;
  readonly maxErrorChars: number;
  readonly maxOutputChars: number;
  /** Everything that is replayed, the running summary included. */
  readonly maxContextChars: number;
}

/** Contract 1 §6. */
export const DEFAULT_CONTEXT_LIMITS: ContextLimits = {
  maxMessageChars: 1_400,
  maxSummaryChars: 220,
  maxErrorChars: 320,
  maxOutputChars: 1_000,
  maxContextChars: 12_000,
};

/** With the default limits the running summary may be as long as one message. */
const SUMMARY_SHARE = 1 / 8;

/** What is set aside for the running summary as soon as there is one. */
export function maxRunningSummaryChars(limits: ContextLimits): number {
  return Math.min(limits.maxMessageChars, Math.floor(limits.maxContextChars * SUMMARY_SHARE));
}

/** What one message may take up: never so much that the newest would not fit beside the running summary. */
export function maxReplayChars(limits: ContextLimits): number {
  const room = limits.maxContextChars - maxRunningSummaryChars(limits);
  return Math.min(limits.maxMessageChars, room);
}
