import type { BreakerState } from './breaker.ts';
import type { BreakerRecord, BreakerStore, ReplaceResult } from './breaker-store.ts';

/** Circuits shared within one process, as between runtimes of one test. */
export class MemoryBreakerStore implements BreakerStore {
  readonly #records = new Map<string, BreakerRecord>();

  async find(key: string): Promise<BreakerRecord | undefined> {
    return this.#records.get(key);
  }

  async replace(key: string, expectedVersion: number, state: BreakerState): Promise<ReplaceResult> {
    const record = this.#records.get(key);
    if ((record?.version ?? 0) !== expectedVersion) return { outcome: 'stale', record };
    const version = expectedVersion + 1;
    this.#records.set(key, { key, version, state });
    return { outcome: 'written', version };
  }

  async list(page: {
    readonly limit: number;
    readonly after?: string;
  }): Promise<readonly BreakerRecord[]> {
    const { after = '' } = page;
    return [...this.#records.values()]
      .filter(({ key }) => key > after)
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .slice(0, page.limit);
  }
}
