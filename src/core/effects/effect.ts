import type { AgentId, RequestId, RunId } from '../ids.ts';

/**
 * What became of a call that changes the world. `intent`: on record, not made. `sent`: handed to the tool; from here
 * on it may have happened. `unknown`: sent, and nobody heard how it ended; only a person can settle that.
 */
export type EffectStatus = (typeof EFFECT_STATUSES)[number];

export const EFFECT_STATUSES = ['intent', 'sent', 'confirmed', 'failed', 'unknown'] as const;

export interface Effect {
  /** The request id of its tool call. */
  readonly id: RequestId;
  readonly runId: RunId;
  readonly agentId: AgentId;
  readonly tool: string;
  readonly callId: string;
  /** Sent along to services that honour one. */
  readonly key: string | undefined;
  /** SHA-256 of the canonical input: the input itself is in the log, redacted. */
  readonly inputDigest: string;
  readonly status: EffectStatus;
  readonly error: { readonly code: string; readonly message: string } | undefined;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly resolution: EffectResolution | undefined;
}

/** How a person settled an unknown effect. */
export interface EffectResolution {
  readonly status: 'confirmed' | 'failed';
  readonly by: string;
  readonly note: string;
  readonly atMs: number;
}

/** A step in the ledger, written in the transaction of the events it belongs to. */
export type EffectWrite =
  | {
      readonly step: 'intend';
      readonly id: RequestId;
      readonly tool: string;
      readonly callId: string;
      readonly key: string | undefined;
      readonly inputDigest: string;
    }
  | { readonly step: 'send'; readonly id: RequestId }
  | {
      readonly step: 'settle';
      readonly id: RequestId;
      readonly status: 'confirmed' | 'failed' | 'unknown';
      readonly error?: { readonly code: string; readonly message: string };
    };

/** The ledger, for people. Its rows are written through the RunStore, with the events. */
export interface EffectStore {
  find(id: RequestId): Promise<Effect | undefined>;
  /** Newest first. */
  list(filter: EffectFilter): Promise<EffectPage>;
  /** Settles an `unknown` effect, once. Throws `not_found`. */
  resolve(id: RequestId, resolution: Omit<EffectResolution, 'atMs'>): Promise<ResolveResult>;
  countByStatus(): Promise<Record<EffectStatus, number>>;
}

export interface EffectFilter {
  readonly status?: EffectStatus;
  readonly runId?: RunId;
  readonly tool?: string;
  readonly limit: number;
  /** The id of the last effect of the page before. */
  readonly before?: RequestId;
}

export interface EffectPage {
  readonly effects: readonly Effect[];
  readonly next: RequestId | undefined;
}

export type ResolveResult =
  | { readonly outcome: 'resolved'; readonly effect: Effect }
  | { readonly outcome: 'refused'; readonly effect: Effect };
