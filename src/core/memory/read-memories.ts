import { defined } from '../defined.ts';
import type { MemoryId } from '../ids.ts';
import { invalid, parseProject, parseText } from './given-memory.ts';
import type { Memories, MemoriesDeps, MemoryWishes, Viewer } from './memories.ts';
import { memoryNotFound } from './memory-faults.ts';
import type { MemoryFilter } from './memory-index.ts';
import type { StoredMemory } from './memory-store.ts';
import { searchMemories } from './search-memories.ts';
import { isVisible, toVisibility } from './visibility.ts';

const MAX_FOUND = 100;
const DEFAULT_FOUND = 10;
export const MAX_QUERY_CHARS = 4_000;
/** Rows read for one page of a list: what the viewer may not see is passed over, and not for ever. */
const LIST_PAGE = 200;
const MAX_LIST_READS = 50;
/** More are found by searching only. */
const MAX_PINNED_READ = 200;

type ReadDeps = Omit<MemoriesDeps, 'ids' | 'redactor' | 'onIngest'>;

export function createMemoryReads(
  deps: ReadDeps,
): Pick<Memories, 'search' | 'list' | 'listPinned' | 'get'> {
  const { store, agents } = deps;

  async function toFilter(wishes: MemoryWishes): Promise<MemoryFilter> {
    const { owner, reader, author, projectId, sessionId, source, tags, sinceMs, untilMs } = wishes;
    const [kept, known, written] = await Promise.all([
      agents.listPrivate(),
      reader === undefined ? undefined : agents.resolve(reader),
      author === undefined ? undefined : agents.resolve(author),
    ]);
    return {
      ...toVisibility({ owner, reader: known }, kept),
      ...(projectId === undefined ? {} : { projectId: parseProject(projectId) }),
      ...(written === undefined ? {} : { agentId: written.id }),
      ...defined({ sessionId, source, tags, sinceMs, untilMs }),
    };
  }

  async function get(id: string, viewer: Viewer): Promise<StoredMemory> {
    const [filter, memory] = await Promise.all([toFilter(viewer), store.find(id as MemoryId)]);
    if (!memory || !isVisible(memory, filter)) throw memoryNotFound(id);
    return { ...memory, accessCount: memory.accessCount + deps.accesses.pendingOf(memory.id) };
  }

  return {
    get,

    async listPinned(wishes) {
      const [filter, pinned] = await Promise.all([
        toFilter(wishes),
        store.listPinned(MAX_PINNED_READ),
      ]);
      return pinned.filter((memory) => isVisible(memory, filter));
    },

    async search({ text, limit = DEFAULT_FOUND, isWanted, embedTimeoutMs, signal, ...wishes }) {
      const asked = parseText(text, 'q', MAX_QUERY_CHARS);
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_FOUND)
        throw invalid(`limit must be a whole number from 1 to ${MAX_FOUND}`);
      const filter = await toFilter(wishes);
      return searchMemories(deps, {
        text: asked,
        filter,
        limit,
        ...defined({ isWanted, embedTimeoutMs, signal }),
      });
    },

    async list({ limit, before, isPinned, ...wishes }) {
      const filter = await toFilter(wishes);
      const memories: StoredMemory[] = [];
      // What is pinned in another project is no part of a project's list.
      const isListed = (memory: StoredMemory) =>
        isVisible(memory, { ...filter, withPinned: false }) &&
        (isPinned === undefined || memory.pinned === isPinned);
      let place = before;
      for (let reads = MAX_LIST_READS; reads > 0; reads -= 1) {
        const page = await store.list({
          limit: LIST_PAGE,
          ...(place && { before: place }),
          ...(filter.projectId !== undefined && { projectId: filter.projectId }),
        });
        for (const memory of page) {
          place = memory.id;
          if (!isListed(memory)) continue;
          memories.push(memory);
          if (memories.length >= limit) return { memories, next: place };
        }
        if (page.length < LIST_PAGE) return { memories, next: undefined };
      }
      return { memories, next: place };
    },
  };
}
