import { useRoute } from 'wouter';
import { useExactParams } from '../../kit/use-exact-params.ts';

/** What is looked at, as the address says it: a link shows the same to whoever opens it. Empty means any. */
export interface MemoryWish {
  readonly q: string;
  /** Through the eyes of this agent; empty: what is shared. */
  readonly as: string;
  readonly author: string;
  readonly project: string;
  readonly source: string;
  readonly tag: string;
  readonly pinned: string;
}

const NAMES = ['q', 'as', 'author', 'project', 'source', 'tag', 'pinned'] as const;

export interface MemoryAddress {
  readonly wish: MemoryWish;
  readonly id: string | undefined;
  readonly isAdding: boolean;
  readonly isEditing: boolean;
  readonly change: (part: Partial<MemoryWish>) => void;
  /** The same wish, with another memory or none beside it. */
  readonly linkTo: (id?: string, deed?: 'edit') => string;
}

export function useMemoryAddress(): MemoryAddress {
  const [, place] = useRoute('/memory/:id?/:deed?');
  const [params, changeParams] = useExactParams();
  const wish = Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? '']));
  const id = place?.id === undefined || place.id === '' ? undefined : place.id;
  return {
    wish: wish as unknown as MemoryWish,
    id: id === 'new' ? undefined : id,
    isAdding: id === 'new',
    isEditing: id !== undefined && place?.deed === 'edit',
    // Typing leaves no trail of half words behind for Back to walk through.
    change: (part) => changeParams({ ...part }, { replace: true }),
    linkTo: (target, deed) => {
      const search = params.toString();
      const path = ['/memory', ...(target === undefined ? [] : [encodeURIComponent(target)])];
      return [...path, ...(deed === undefined ? [] : [deed])].join('/') + (search && `?${search}`);
    },
  };
}

export function countFilters({ q: _, ...filters }: MemoryWish): number {
  return Object.values(filters).filter((value) => value !== '').length;
}

/** In the words of the operations. */
export function toQuery({ as, author, project, source, tag }: MemoryWish) {
  return {
    ...(as === '' ? {} : { agent_id: as }),
    ...(author === '' ? {} : { author_id: author }),
    ...(project === '' ? {} : { project_id: project }),
    ...(source === '' ? {} : { source }),
    ...(tag === '' ? {} : { tags: tag }),
  };
}
