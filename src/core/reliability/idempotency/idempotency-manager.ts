import { type Backoff, backoffMs } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import { RuntimeError } from '../../errors.ts';
import { Deadlines } from '../deadline.ts';
import type { Attempt, Fault } from '../fault.ts';
import { guardObserver, type KeyedEvent, type Observe } from '../observer.ts';
import type { IdempotencyPolicy } from '../settings.ts';
import { StoreGuard } from '../store-guard.ts';
import { toFault } from '../to-fault.ts';
import { keepLease } from './claim-lease.ts';
import { toStoredKey } from './idempotency-key.ts';
import type {
  Claim,
  ClaimResult,
  IdempotencyRecord,
  IdempotencyStore,
  RecordPage,
} from './idempotency-store.ts';
import { hashKey } from './key-digests.ts';
import { MemoryIdempotencyStore } from './memory-idempotency-store.ts';
import {
  conflicting,
  type DedupedOutcome,
  replay,
  stillRunning,
  unknownOutcome,
} from './replay-record.ts';
import { planSettlement, type SettlementPlan } from './settlement.ts';

export interface IdempotencyManagerDeps {
  readonly store: IdempotencyStore;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly deadlines?: Deadlines;
  readonly observe?: Observe;
  /** Runs over results and faults before they are stored. */
  readonly redact?: (value: unknown) => unknown;
  readonly storeTimeoutMs?: number;
  /**
   * What stands in for a store that does not answer. `here`: claims of this process, since something else knows what
   * happened. `nothing`: this store is the promise, and a call that can't be claimed is not made.
   */
  readonly fallback?: 'here' | 'nothing';
}

export interface DedupedCall {
  readonly toolId: string;
  readonly key: string;
  readonly digest: string;
  /** Whether running it again does no harm: then an abandoned claim is taken over, and a lost result made anew. */
  readonly isRepeatable: boolean;
  readonly policy: IdempotencyPolicy;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whose call it is, for callers that see to it that one process at a time makes it, and that it is not made again
   * once it may have happened. What a process that died has claimed in this name is taken back.
   */
  readonly owner?: string | undefined;
}

const DEFAULT_STORE_TIMEOUT_MS = 250;
/** How often a call that runs in another process is looked at. */
const POLL: Backoff = { firstMs: 25, maxMs: 1_000 };

interface Running {
  readonly digest: string;
  readonly ended: Promise<Attempt<unknown>>;
}

interface Held {
  readonly claim: Claim;
  readonly store: IdempotencyStore;
}

/**
 * Runs each key once. While a store is unreachable, claims are kept in this process; what other processes do
 * meanwhile is then for the effect ledger to know.
 */
export class IdempotencyManager {
  readonly #deps: IdempotencyManagerDeps;
  readonly #observe: Observe;
  readonly #isObserved: boolean;
  readonly #deadlines: Deadlines;
  readonly #guard: StoreGuard;
  readonly #fallback: MemoryIdempotencyStore;
  readonly #running = new Map<string, Running>();

  constructor(deps: IdempotencyManagerDeps) {
    this.#deps = deps;
    this.#observe = guardObserver(deps.observe);
    this.#isObserved = deps.observe !== undefined;
    this.#deadlines = deps.deadlines ?? new Deadlines(deps.clock);
    this.#fallback = new MemoryIdempotencyStore(deps.clock);
    this.#guard = new StoreGuard({
      store: 'idempotency',
      deadlines: this.#deadlines,
      timeoutMs: deps.storeTimeoutMs ?? DEFAULT_STORE_TIMEOUT_MS,
      observe: this.#observe,
    });
  }

  /** Never rejects: what goes wrong here is the call's fault too. */
  async run<T>(call: DedupedCall, work: () => Promise<Attempt<T>>): Promise<DedupedOutcome<T>> {
    try {
      return await this.#run(call, work);
    } catch (thrown) {
      return fresh(toFault(thrown, this.#deps.clock.nowMs()));
    }
  }

  /** What is on record, without making the call or claiming it. */
  async find(toolId: string, key: string): Promise<IdempotencyRecord | undefined> {
    const storedKey = toStoredKey(toolId, key);
    const local = await this.#fallback.find(storedKey);
    if (local) return local;
    return (await this.#guard.ask('find', () => this.#deps.store.find(storedKey)))?.answer;
  }

  list(toolId: string, page: RecordPage): Promise<readonly IdempotencyRecord[]> {
    return this.#deps.store.list(toolId, page);
  }

  async flush(toolId: string, key?: string): Promise<number> {
    const local = await this.#fallback.flush(toolId, key);
    return local + (await this.#deps.store.flush(toolId, key));
  }

  async #run<T>(call: DedupedCall, work: () => Promise<Attempt<T>>): Promise<DedupedOutcome<T>> {
    const { clock } = this.#deps;
    const claim = this.#toClaim(call);
    const startedAtMs = clock.nowMs();
    for (let poll = 1; ; poll += 1) {
      const { result, store } = await this.#claim(claim);
      if (result.outcome === 'claimed') return this.#execute(call, { claim, store }, work);
      if (await this.#takeBack(call, result.record, store)) continue;
      if (result.outcome !== 'running') return this.#answer<T>(result.outcome, result.record);
      const leftMs = call.policy.maxWaitMs - (clock.nowMs() - startedAtMs);
      if (call.policy.duplicates === 'fail_fast' || leftMs <= 0) return fresh(stillRunning());
      const running = this.#running.get(claim.storedKey);
      if (running) return this.#join<T>(running, { claim, waitMs: leftMs, signal: call.signal });
      await clock.sleep(Math.min(backoffMs(POLL, poll), leftMs), call.signal);
      if (call.signal?.aborted) return fresh(waitCancelled());
    }
  }

  async #takeBack(
    { owner }: DedupedCall,
    { storedKey, claimId, state }: IdempotencyRecord,
    store: IdempotencyStore,
  ): Promise<boolean> {
    if (state !== 'PENDING' || !isOwnedBy(claimId, owner)) return false;
    const released = await this.#ask(store, 'release', () => store.release(storedKey, claimId));
    return released?.answer === true;
  }

  #toClaim({ toolId, key, digest, isRepeatable, policy, owner }: DedupedCall): Claim {
    const id = this.#deps.newId();
    return {
      storedKey: toStoredKey(toolId, key),
      toolId,
      key,
      digest,
      claimId: owner === undefined ? id : `${owner}/${id}`,
      leaseMs: policy.leaseMs,
      ttlMs: policy.successTtlMs,
      mayTakeOver: isRepeatable,
    };
  }

  async #claim(claim: Claim): Promise<{ result: ClaimResult; store: IdempotencyStore }> {
    const { store } = this.#deps;
    // What was made while the store was gone is known here and nowhere else.
    const isKnownHere =
      this.#fallback.size > 0 && (await this.#fallback.find(claim.storedKey)) !== undefined;
    if (!isKnownHere) {
      const asked = await this.#guard.ask('claim', () => store.claim(claim));
      if (asked) return { result: asked.answer, store };
      if (this.#deps.fallback === 'nothing') throw unreachableStore();
    }
    return { result: await this.#fallback.claim(claim), store: this.#fallback };
  }

  async #execute<T>(
    call: DedupedCall,
    held: Held,
    work: () => Promise<Attempt<T>>,
  ): Promise<DedupedOutcome<T>> {
    const { storedKey, claimId, digest, leaseMs } = held.claim;
    const stop = keepLease(this.#deps.clock, leaseMs, () =>
      this.#ask(held.store, 'renew', () => held.store.renew(storedKey, claimId, leaseMs)),
    );
    const ended = settleThrow(work, this.#deps.clock);
    const running = { digest, ended };
    this.#running.set(storedKey, running);
    try {
      const attempt = await ended;
      stop();
      await this.#settle(call, held, attempt);
      return { attempt, fromCache: false };
    } finally {
      // After a flush somebody else may run under this key.
      if (this.#running.get(storedKey) === running) this.#running.delete(storedKey);
    }
  }

  async #settle(call: DedupedCall, held: Held, attempt: Attempt<unknown>): Promise<void> {
    const { isRepeatable, policy } = call;
    const redact = this.#deps.redact ?? ((value) => value);
    const plan = planSettlement({ attempt, isRepeatable, policy, redact });
    const notKept = notKeptOf(plan);
    if (notKept) this.#report(held.claim, { type: 'cache.skipped', reason: notKept });
    if (plan.write === 'settle' && plan.isUnknown) {
      this.#report(held.claim, { type: 'outcome.unknown' });
    }
    const written = await this.#ask(held.store, 'settle', () =>
      write(held.store, held.claim, plan),
    );
    if (written && !written.answer) {
      this.#report(held.claim, { type: 'cache.skipped', reason: 'claim_lost' });
    }
    const { store } = this.#deps;
    // The outcome stays known in this process; elsewhere the claim runs out and the outcome counts as unknown.
    if (!written) await this.#keepHere(held.claim, plan);
    // A claim that was given up on for being slow may have been written after all.
    else if (held.store !== store)
      void this.#guard.ask('settle', () => write(store, held.claim, plan));
  }

  #report(call: { toolId: string; storedKey: string }, event: KeyedEvent): void {
    // Hashing costs more than the rest of a replay.
    if (!this.#isObserved) return;
    this.#observe({ ...event, toolId: call.toolId, keyHash: hashKey(call.storedKey) });
  }

  /** What the store in this process answers says nothing about the health of the other one. */
  async #ask<T>(
    store: IdempotencyStore,
    operation: string,
    ask: () => Promise<T>,
  ): Promise<{ readonly answer: T } | undefined> {
    return store === this.#fallback ? { answer: await ask() } : this.#guard.ask(operation, ask);
  }

  async #keepHere(claim: Claim, plan: SettlementPlan): Promise<void> {
    if (plan.write === 'release') return;
    await this.#fallback.claim(claim);
    await write(this.#fallback, claim, plan);
  }

  #answer<T>(
    outcome: 'conflict' | 'abandoned' | 'settled',
    record: IdempotencyRecord,
  ): DedupedOutcome<T> {
    if (outcome === 'conflict') {
      this.#report(record, { type: 'cache.conflict' });
      return fresh(conflicting());
    }
    if (outcome === 'abandoned') {
      this.#report(record, { type: 'outcome.unknown' });
      return fresh(unknownOutcome());
    }
    this.#report(record, { type: 'cache.hit', state: record.state });
    return replay<T>(record);
  }

  /** Waits for a call in this process. Giving up, or being cancelled, ends the waiting and not the call. */
  async #join<T>(
    running: Running,
    wait: { claim: Claim; waitMs: number; signal: AbortSignal | undefined },
  ): Promise<DedupedOutcome<T>> {
    const { signal, waitMs, claim } = wait;
    if (signal?.aborted) return fresh(waitCancelled());
    const attempt = await new Promise<Attempt<unknown> | Fault>((resolve) => {
      const deadline = this.#deadlines.start(waitMs, () => end(stillRunning()));
      const onAbort = () => end(waitCancelled());
      function end(ended: Attempt<unknown> | Fault): void {
        deadline.cancel();
        signal?.removeEventListener('abort', onAbort);
        resolve(ended);
      }
      signal?.addEventListener('abort', onAbort, { once: true });
      void running.ended.then(end);
    });
    if (!('ok' in attempt)) return fresh(attempt);
    this.#report(claim, { type: 'cache.hit', state: 'PENDING' });
    return { attempt: attempt as Attempt<T>, fromCache: true };
  }
}

/** Whether a claim was made in this name, by whichever process. */
export function isOwnedBy(claimId: string, owner: string | undefined): boolean {
  return owner !== undefined && claimId.startsWith(`${owner}/`);
}

function fresh<T>(fault: Fault): DedupedOutcome<T> {
  return { attempt: { ok: false, fault }, fromCache: false };
}

function unreachableStore(): RuntimeError {
  const message = 'the idempotency key can not be kept now, so the call was not made';
  return new RuntimeError('storage_unavailable', message, { details: { effect: 'none' } });
}

function waitCancelled(): Fault {
  const message = 'cancelled while waiting for the same call';
  return { code: 'cancelled', message, retryable: false, details: { effect: 'none' } };
}

function notKeptOf(plan: SettlementPlan) {
  if (plan.write === 'release') return plan.notKept;
  return 'notKept' in plan.settlement ? plan.settlement.notKept : undefined;
}

function write(store: IdempotencyStore, claim: Claim, plan: SettlementPlan): Promise<boolean> {
  const { storedKey, claimId } = claim;
  return plan.write === 'release'
    ? store.release(storedKey, claimId)
    : store.settle(storedKey, claimId, plan.settlement);
}

async function settleThrow<T>(work: () => Promise<Attempt<T>>, clock: Clock): Promise<Attempt<T>> {
  try {
    return await work();
  } catch (thrown) {
    return { ok: false, fault: toFault(thrown, clock.nowMs()), thrown };
  }
}
