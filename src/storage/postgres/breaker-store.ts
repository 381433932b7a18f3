import type { BreakerRecord, BreakerStore } from '../../core/reliability/breaker-store.ts';
import { decodeBreaker, MAX_PAGE_BREAKERS } from '../breaker-state.ts';
import { decodeOrdered, encodeOrdered } from '../ordered-text.ts';
import type { Database } from './database.ts';
import { clampLimit } from './statement.ts';
import { writeOnce } from './write-once.ts';

interface StoredBreaker {
  readonly key: string;
  readonly version: number;
  readonly state: string;
}

const FIND = 'select key, version, state from breakers where key = $1';
const LIST = 'select key, version, state from breakers where key > $1 order by key limit $2';
const INSERT =
  'insert into breakers (key, version, state) values ($1, 1, $2) ' +
  'on conflict (key) do nothing returning version';
const UPDATE =
  'update breakers set version = version + 1, state = $2 where key = $1 and version = $3 returning version';

export function createBreakerStore(database: Database): BreakerStore {
  async function find(key: string): Promise<BreakerRecord | undefined> {
    const statement = { name: 'find_breaker', text: FIND, values: [encodeOrdered(key)] };
    const [stored] = await database.read<StoredBreaker>(statement);
    return stored && decode(stored);
  }

  return {
    find,

    list: async ({ limit, after = '' }) => {
      const values = [encodeOrdered(after), clampLimit(limit, MAX_PAGE_BREAKERS)];
      const statement = { name: 'list_breakers', text: LIST, values };
      return (await database.read<StoredBreaker>(statement)).map(decode);
    },

    replace: async (key, expectedVersion, state) => {
      const values = [encodeOrdered(key), JSON.stringify(state)];
      const [written] = await writeOnce<{ version: number }>(
        database,
        expectedVersion === 0
          ? { name: 'insert_breaker', text: INSERT, values }
          : { name: 'update_breaker', text: UPDATE, values: [...values, expectedVersion] },
      );
      if (written) return { outcome: 'written', version: written.version };
      return { outcome: 'stale', record: await find(key) };
    },
  };
}

function decode({ key, version, state }: StoredBreaker): BreakerRecord {
  return decodeBreaker(decodeOrdered(key), version, state);
}
