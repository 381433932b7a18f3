import { clampLimit } from '../clamp-limit.ts';
import type { MemoryId } from '../ids.ts';
import { query } from '../store/collection.ts';
import { ask } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import type { FeedFilter, FeedItem, FeedStore, KnownMemory } from './feed-store.ts';

type Seen = Pick<FeedFilter, 'owner' | 'readerId' | 'isOwnOnly' | 'projectId' | 'limit'>;

export const FEED_ITEMS = query<Seen & { atMs: number; before: string }, FeedItem>('feed_items');
export const KNOWN_MEMORIES = query<Seen & { before: MemoryId | undefined }, KnownMemory>(
  'known_memories',
);

/** A page is read in one go, and each carries a text. */
const MAX_PAGE_FEED = 500;
/** Before everything that was ever stored. */
const NEWEST = { atMs: Number.MAX_SAFE_INTEGER, id: '' };

export function createFeedStore({ load }: Pick<Tables, 'load'>): FeedStore {
  return {
    list: ({ before = NEWEST, ...filter }) =>
      load(ask(FEED_ITEMS, { ...toSeen(filter), atMs: before.atMs, before: before.id })),

    listMemories: ({ before, ...filter }) =>
      load(ask(KNOWN_MEMORIES, { ...toSeen(filter), before })),
  };
}

function toSeen({ owner, readerId, isOwnOnly, projectId, limit }: Seen): Seen {
  return { owner, readerId, isOwnOnly, projectId, limit: clampLimit(limit, MAX_PAGE_FEED) };
}
