import type { Clock } from '../clock.ts';
import { CircuitBreakers } from './breakers/circuit-breakers.ts';
import {
  type Attempt,
  type Fault,
  isRepeatable,
  type Repeatability,
  toCallResult,
} from './fault.ts';
import { toStoredKey } from './idempotency/idempotency-key.ts';
import type { Claim, ClaimResult } from './idempotency/idempotency-store.ts';
import { hashKey } from './idempotency/key-digests.ts';
import { MemoryIdempotencyStore } from './idempotency/memory-idempotency-store.ts';
import { planSettlement } from './idempotency/settlement.ts';
import type { Observe, ShadowDecision } from './observer.ts';
import { decideRetry } from './retry-policy.ts';
import type { ReliabilitySettings } from './settings.ts';

export interface ShadowDeps {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly random: () => number;
  readonly observe: Observe;
}

export interface ShadowCall {
  readonly toolId: string;
  readonly isInputValid: boolean;
  /** Absent: the call is not deduplicated. */
  readonly identity: { readonly key: string; readonly digest: string } | undefined;
  readonly repeatability: Repeatability;
  readonly settings: ReliabilitySettings;
  readonly timeoutMs: number;
}

const WOULD: Record<Exclude<ClaimResult['outcome'], 'claimed'>, ShadowDecision> = {
  conflict: 'would_conflict',
  running: 'would_wait',
  abandoned: 'would_replay',
  settled: 'would_replay',
};

/**
 * Plays the layer's part beside calls that it does not touch, with circuits and claims of its own: nothing it
 * learns reaches the real ones, and nothing it does reaches a store.
 */
export class Shadow {
  readonly #deps: ShadowDeps;
  readonly #breakers: CircuitBreakers;
  readonly #store: MemoryIdempotencyStore;

  constructor(deps: ShadowDeps) {
    this.#deps = deps;
    this.#breakers = new CircuitBreakers({ clock: deps.clock });
    this.#store = new MemoryIdempotencyStore(deps.clock);
  }

  /** Reports what it would have done about a call that runs already. Never rejects. */
  async watch(call: ShadowCall, running: Promise<Attempt<unknown>>): Promise<void> {
    try {
      await this.#watch(call, running);
    } catch {
      // A shadow that stumbles must not be felt.
    }
  }

  async #watch(call: ShadowCall, running: Promise<Attempt<unknown>>): Promise<void> {
    if (!call.isInputValid) return this.#decide(call, 'would_refuse_input');
    const startedAtMs = this.#deps.clock.nowMs();
    const claim = this.#toClaim(call);
    if (claim) {
      const { outcome } = await this.#store.claim(claim);
      if (outcome !== 'claimed') return this.#decide(call, WOULD[outcome]);
    }
    const breaker = this.#breakers.of(call.toolId, call.settings.breaker);
    const admission = await breaker.admit();
    if (!admission.admitted) {
      this.#decide(call, 'would_cut_off');
      if (claim) await this.#store.release(claim.storedKey, claim.claimId);
      return;
    }
    const attempt = this.#inTime(call, startedAtMs, await running);
    breaker.settle(admission, attempt.ok ? 'success' : toCallResult(attempt.fault));
    if (!attempt.ok) this.#judgeFailure(call, attempt.fault, startedAtMs);
    if (claim) await this.#settle(call, claim, attempt);
  }

  #toClaim({ toolId, identity, repeatability, settings }: ShadowCall): Claim | undefined {
    if (!identity) return undefined;
    const ttlMs = settings.idempotency.successTtlMs;
    return {
      ...identity,
      storedKey: toStoredKey(toolId, identity.key),
      toolId,
      claimId: this.#deps.newId(),
      // Nothing renews it: it stands for as long as the call may run.
      leaseMs: ttlMs,
      ttlMs,
      mayTakeOver: isRepeatable(repeatability),
    };
  }

  /** A call that was let run for longer than the layer would have let it ended, for the shadow, in a timeout. */
  #inTime(call: ShadowCall, startedAtMs: number, attempt: Attempt<unknown>): Attempt<unknown> {
    if (this.#deps.clock.nowMs() - startedAtMs <= call.timeoutMs) return attempt;
    this.#decide(call, 'would_time_out');
    const retryable = isRepeatable(call.repeatability);
    return { ok: false, fault: { code: 'timeout', message: 'too slow', retryable } };
  }

  #judgeFailure(call: ShadowCall, fault: Fault, startedAtMs: number): void {
    const { retry } = decideRetry(call.settings.retry, call.repeatability, {
      fault,
      attempt: 1,
      elapsedMs: this.#deps.clock.nowMs() - startedAtMs,
      random: this.#deps.random(),
    });
    if (retry) this.#decide(call, 'would_retry');
  }

  async #settle(call: ShadowCall, claim: Claim, attempt: Attempt<unknown>): Promise<void> {
    const plan = planSettlement({
      // What a call answered is not the shadow's to keep.
      attempt: attempt.ok ? { ok: true, value: undefined } : attempt,
      isRepeatable: isRepeatable(call.repeatability),
      policy: call.settings.idempotency,
      redact: (value) => value,
    });
    if (plan.write === 'release') await this.#store.release(claim.storedKey, claim.claimId);
    else await this.#store.settle(claim.storedKey, claim.claimId, plan.settlement);
  }

  #decide({ toolId, identity }: ShadowCall, decision: ShadowDecision): void {
    this.#deps.observe({
      type: 'shadow.decided',
      toolId,
      decision,
      ...(identity ? { keyHash: hashKey(toStoredKey(toolId, identity.key)) } : {}),
    });
  }
}
