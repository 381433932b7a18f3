import type { IndexChange, IndexQuery, RankedMemory } from '../core/memory/memory-index.ts';
import { Holdings } from './holdings.ts';
import { rememberSight } from './remember-sight.ts';
import { prepareQuestion, searchHoldings } from './search-holdings.ts';

/** What an index does, at once and in the thread that asks. */
export interface InlineIndex {
  apply(changes: readonly IndexChange[]): void;
  prepare(query: Pick<IndexQuery, 'text' | 'filter'>): readonly string[];
  search(query: IndexQuery): readonly RankedMemory[];
}

export function createInlineIndex(): InlineIndex {
  const holdings = new Holdings();
  const see = rememberSight(holdings);
  return {
    apply(changes) {
      for (const change of changes) holdings.apply(change);
    },
    prepare: ({ text, filter }) => prepareQuestion(holdings, text, see(filter)),
    search: (query) => searchHoldings({ holdings, sight: see(query.filter) }, query),
  };
}
