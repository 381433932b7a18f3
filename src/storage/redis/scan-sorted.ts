import type { RedisLink } from './redis-link.ts';

export interface WantedNames {
  readonly prefix: string;
  /** What a key stands for; names are sorted, not keys. */
  readonly toName: (key: string) => string;
  readonly after: string;
  readonly limit: number;
}

/**
 * The first names after one, in order. Redis keeps keys in no order, and an index beside them could be evicted or
 * outlive them, so all are looked at; only as many as are wanted are kept.
 */
export async function scanSorted(link: RedisLink, wanted: WantedNames): Promise<string[]> {
  const { prefix, toName, after, limit } = wanted;
  let kept: string[] = [];
  for await (const keys of link.scan(prefix)) {
    const fresh = keys.map(toName).filter((name) => name > after);
    // A scan may deliver a key twice.
    kept = [...new Set([...kept, ...fresh])].sort().slice(0, limit);
  }
  return kept;
}
