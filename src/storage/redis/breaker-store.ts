import { clampLimit } from '../../core/clamp-limit.ts';
import type { BreakerRecord, BreakerStore } from '../../core/reliability/breakers/breaker-store.ts';
import { readBreakerState } from '../../core/reliability/breakers/parse-breaker-state.ts';
import { MAX_PAGE_BREAKERS } from '../../core/reliability/breakers/stored-breakers.ts';
import type { RedisLink } from './redis-link.ts';
import { scanSorted } from './scan-sorted.ts';
import { createScript } from './script.ts';

const FIND = createScript(`
local found = {}
for i, key in ipairs(KEYS) do
  local record = redis.call('HMGET', key, 'version', 'state')
  found[i] = record[1] and record[2] and record or {}
end
return found
`);

/** ARGV: the expected version, the state. */
const REPLACE = createScript(`
local record = redis.call('HMGET', KEYS[1], 'version', 'state')
local version = tonumber(record[1] or '0') or 0
if version ~= tonumber(ARGV[1]) then return {'stale', record[1] or '', record[2] or ''} end
local next = string.format('%.0f', version + 1)
redis.call('HSET', KEYS[1], 'version', next, 'state', ARGV[2])
return {'written', next}
`);

/** One hash for each circuit, without expiry: there are as many as there are tools. */
export function createRedisBreakerStore(link: RedisLink, keyPrefix: string): BreakerStore {
  const prefix = `${keyPrefix}breaker:`;
  const toKey = (key: string) => `${prefix}${encodeURIComponent(key)}`;
  const toName = (key: string) => decodeURIComponent(key.slice(prefix.length));

  async function load(names: readonly string[]): Promise<BreakerRecord[]> {
    if (names.length === 0) return [];
    const found = (await link.run(FIND, names.map(toKey), [])) as string[][];
    return found.flatMap(([version, state], index) => {
      const name = names[index];
      if (version === undefined || state === undefined || name === undefined) return [];
      return [decodeBreaker(name, Number(version), state)];
    });
  }

  return {
    find: async (key) => (await load([key]))[0],

    async replace(key, expectedVersion, state) {
      const args = [expectedVersion, JSON.stringify(state)];
      const answer = (await link.run(REPLACE, [toKey(key)], args)) as [string, string, string];
      const [outcome, version, stored] = answer;
      if (outcome === 'written') return { outcome, version: Number(version) };
      const record = version === '' ? undefined : decodeBreaker(key, Number(version), stored);
      return { outcome: 'stale', record };
    },

    async list({ limit, after = '' }) {
      const size = clampLimit(limit, MAX_PAGE_BREAKERS);
      return load(await scanSorted(link, { prefix, toName, after, limit: size }));
    },
  };
}

function decodeBreaker(key: string, version: number, json: string): BreakerRecord {
  return { key, version, state: readBreakerState(parse(json)) };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
