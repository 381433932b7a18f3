import { clampLimit } from '../../core/clamp-limit.ts';
import { toKeyPrefix, toStoredKey } from '../../core/reliability/idempotency/idempotency-key.ts';
import type {
  ClaimResult,
  IdempotencyRecord,
  IdempotencyStore,
} from '../../core/reliability/idempotency/idempotency-store.ts';
import { MAX_PAGE_RECORDS, toSettledColumns } from '../idempotency-rules.ts';
import { CLAIM, DROP, FIND, RELEASE, RENEW, SETTLE } from './idempotency-scripts.ts';
import { decodeRecord } from './record-codec.ts';
import type { RedisLink } from './redis-link.ts';
import { scanSorted } from './scan-sorted.ts';

export interface RedisIdempotencyDeps {
  readonly link: RedisLink;
  readonly keyPrefix: string;
  /** Replaces the server's clock, in tests. */
  readonly nowMs: (() => number) | undefined;
}

/**
 * One hash for each record, under exactly its stored key, with the server's own expiry. Each method is one script,
 * except that a flush of a whole tool drops its records in bunches.
 */
export function createRedisIdempotencyStore(deps: RedisIdempotencyDeps): IdempotencyStore {
  const { link, keyPrefix } = deps;
  const now = () => deps.nowMs?.() ?? '';
  const toKey = (storedKey: string) => `${keyPrefix}${storedKey}`;

  async function load(storedKeys: readonly string[]): Promise<IdempotencyRecord[]> {
    if (storedKeys.length === 0) return [];
    const found = (await link.run(FIND, storedKeys.map(toKey), [now()])) as string[][];
    return found.flatMap((fields, index) => {
      const storedKey = storedKeys[index];
      if (fields.length === 0 || storedKey === undefined) return [];
      return [decodeRecord(storedKey, fields)];
    });
  }

  async function isDone(answer: Promise<unknown>): Promise<boolean> {
    return (await answer) === 1;
  }

  return {
    async claim({ storedKey, toolId, key, digest, claimId, leaseMs, ttlMs, mayTakeOver }) {
      const facts = [claimId, digest, toolId, key, Math.ceil(leaseMs), Math.ceil(ttlMs)];
      const args = [now(), ...facts, mayTakeOver ? '1' : '0'];
      const answer = await link.run(CLAIM, [toKey(storedKey)], args);
      const [outcome, fields] = answer as [ClaimResult['outcome'], string[]];
      if (outcome === 'claimed') return { outcome };
      return { outcome, record: decodeRecord(storedKey, fields) };
    },

    renew: (storedKey, claimId, leaseMs) =>
      isDone(link.run(RENEW, [toKey(storedKey)], [now(), claimId, Math.ceil(leaseMs)])),

    settle: (storedKey, claimId, settlement) => {
      const fields = Object.entries(toSettledColumns(settlement)).flatMap(([name, value]) =>
        value === null ? [] : [name, String(value)],
      );
      const args = [now(), claimId, Math.ceil(settlement.ttlMs), ...fields];
      return isDone(link.run(SETTLE, [toKey(storedKey)], args));
    },

    release: (storedKey, claimId) =>
      isDone(link.run(RELEASE, [toKey(storedKey)], [now(), claimId])),

    find: async (storedKey) => (await load([storedKey]))[0],

    async list(toolId, { limit, after = '' }) {
      const size = clampLimit(limit, MAX_PAGE_RECORDS);
      const toName = (key: string) => key.slice(keyPrefix.length);
      const prefix = toKey(toKeyPrefix(toolId));
      const records: IdempotencyRecord[] = [];
      for (let cursor = after; ; ) {
        const wanted = size - records.length;
        const names = await scanSorted(link, { prefix, toName, after: cursor, limit: wanted });
        records.push(...(await load(names)));
        const last = names.at(-1);
        // Those that expired meanwhile are made up for: a short page would look like the last.
        if (last === undefined || names.length < wanted || records.length === size) return records;
        cursor = last;
      }
    },

    async flush(toolId, key) {
      if (key !== undefined) {
        return Number(await link.run(DROP, [toKey(toStoredKey(toolId, key))], [now()]));
      }
      let flushed = 0;
      for await (const keys of link.scan(toKey(toKeyPrefix(toolId)))) {
        if (keys.length > 0) flushed += Number(await link.run(DROP, keys, [now()]));
      }
      return flushed;
    },
  };
}
