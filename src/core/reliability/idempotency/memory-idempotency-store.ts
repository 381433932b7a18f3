import type { Clock } from '../../clock.ts';
import { RuntimeError } from '../../errors.ts';
import { toStoredKey } from './idempotency-key.ts';
import type {
  Claim,
  ClaimResult,
  IdempotencyRecord,
  IdempotencyStore,
  RecordPage,
  Settlement,
} from './idempotency-store.ts';
import { judgeClaim } from './judge-claim.ts';

export interface MemoryIdempotencyLimits {
  readonly maxRecords: number;
  /** Of kept results and errors, as text. */
  readonly maxChars: number;
}

const DEFAULT_LIMITS: MemoryIdempotencyLimits = { maxRecords: 25_000, maxChars: 32 * 1024 * 1024 };
/** Expired records are dropped when met; this finds those that nobody asks for again. */
const SWEEP_EVERY_MS = 60_000;

/**
 * Records in this process, bounded in number and in size. The least recently used settled one makes room; a PENDING
 * one never does, since forgetting it would allow a second run.
 */
export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #clock: Clock;
  readonly #limits: MemoryIdempotencyLimits;
  readonly #pending = new Map<string, IdempotencyRecord>();
  /** In order of use, the oldest first. */
  readonly #settled = new Map<string, IdempotencyRecord>();
  #chars = 0;
  #sweptAtMs: number;

  constructor(clock: Clock, limits: Partial<MemoryIdempotencyLimits> = {}) {
    this.#clock = clock;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#sweptAtMs = clock.nowMs();
  }

  get size(): number {
    return this.#pending.size + this.#settled.size;
  }

  /** Of kept results and errors. */
  get chars(): number {
    return this.#chars;
  }

  async claim(claim: Claim): Promise<ClaimResult> {
    const nowMs = this.#clock.nowMs();
    this.#sweep(nowMs);
    const record = this.#get(claim.storedKey, nowMs);
    const result = record && judgeClaim(record, claim, nowMs);
    if (result) return result;
    if (!record) this.#makeRoom(1);
    const { storedKey, toolId, key, digest, claimId, leaseMs, ttlMs } = claim;
    this.#pending.set(storedKey, {
      storedKey,
      toolId,
      key,
      state: 'PENDING',
      digest,
      claimId,
      version: (record?.version ?? 0) + 1,
      createdAtMs: record?.createdAtMs ?? nowMs,
      updatedAtMs: nowMs,
      leaseUntilMs: nowMs + leaseMs,
      expiresAtMs: nowMs + ttlMs,
    });
    return { outcome: 'claimed' };
  }

  async renew(storedKey: string, claimId: string, leaseMs: number): Promise<boolean> {
    const record = this.#owned(storedKey, claimId);
    if (!record) return false;
    const nowMs = this.#clock.nowMs();
    this.#pending.set(storedKey, {
      ...record,
      version: record.version + 1,
      updatedAtMs: nowMs,
      leaseUntilMs: nowMs + leaseMs,
    });
    return true;
  }

  async settle(storedKey: string, claimId: string, settlement: Settlement): Promise<boolean> {
    const record = this.#owned(storedKey, claimId);
    if (!record) return false;
    this.#pending.delete(storedKey);
    const nowMs = this.#clock.nowMs();
    const { ttlMs, ...outcome } = settlement;
    this.#keep({
      ...record,
      ...outcome,
      version: record.version + 1,
      updatedAtMs: nowMs,
      expiresAtMs: nowMs + ttlMs,
    });
    return true;
  }

  async release(storedKey: string, claimId: string): Promise<boolean> {
    return this.#owned(storedKey, claimId) !== undefined && this.#pending.delete(storedKey);
  }

  async find(storedKey: string): Promise<IdempotencyRecord | undefined> {
    return this.#get(storedKey, this.#clock.nowMs());
  }

  async list(toolId: string, page: RecordPage): Promise<readonly IdempotencyRecord[]> {
    const { after = '' } = page;
    const nowMs = this.#clock.nowMs();
    return [...this.#pending.values(), ...this.#settled.values()]
      .filter((r) => r.toolId === toolId && r.expiresAtMs > nowMs && r.storedKey > after)
      .sort((a, b) => (a.storedKey < b.storedKey ? -1 : 1))
      .slice(0, page.limit);
  }

  async flush(toolId: string, key?: string): Promise<number> {
    if (key !== undefined) return this.#drop(toStoredKey(toolId, key)) ? 1 : 0;
    let flushed = 0;
    for (const record of [...this.#pending.values(), ...this.#settled.values()]) {
      if (record.toolId === toolId && this.#drop(record.storedKey)) flushed += 1;
    }
    return flushed;
  }

  #get(storedKey: string, nowMs: number): IdempotencyRecord | undefined {
    const record = this.#pending.get(storedKey) ?? this.#settled.get(storedKey);
    if (!record) return undefined;
    if (record.expiresAtMs <= nowMs) {
      this.#drop(storedKey);
      return undefined;
    }
    if (record.state !== 'PENDING') {
      this.#settled.delete(storedKey);
      this.#settled.set(storedKey, record);
    }
    return record;
  }

  #owned(storedKey: string, claimId: string): IdempotencyRecord | undefined {
    const record = this.#pending.get(storedKey);
    return record?.claimId === claimId ? record : undefined;
  }

  #keep(record: IdempotencyRecord): void {
    this.#makeRoom(1);
    this.#settled.set(record.storedKey, record);
    this.#chars += charsOf(record);
    while (this.#chars > this.#limits.maxChars && this.#dropOldest());
  }

  #makeRoom(wanted: number): void {
    while (this.size + wanted > this.#limits.maxRecords) {
      if (this.#dropOldest()) continue;
      throw new RuntimeError(
        'queue_full',
        `${this.#pending.size} calls with idempotency keys are running, the most there may be`,
      );
    }
  }

  #dropOldest(): boolean {
    const { value } = this.#settled.keys().next();
    return value !== undefined && this.#drop(value);
  }

  #drop(storedKey: string): boolean {
    if (this.#pending.delete(storedKey)) return true;
    const record = this.#settled.get(storedKey);
    if (!record) return false;
    this.#chars -= charsOf(record);
    return this.#settled.delete(storedKey);
  }

  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptAtMs < SWEEP_EVERY_MS) return;
    this.#sweptAtMs = nowMs;
    for (const records of [this.#pending, this.#settled]) {
      for (const [storedKey, record] of records) {
        if (record.expiresAtMs <= nowMs) this.#drop(storedKey);
      }
    }
  }
}

function charsOf({ result, error }: IdempotencyRecord): number {
  return (result?.length ?? 0) + (error ? JSON.stringify(error).length : 0);
}
