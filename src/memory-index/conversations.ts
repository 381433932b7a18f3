import type { Columns } from './columns.ts';

/** Who stands beside whom: the memories of one conversation by their time, then by their ids, which count up. */
export interface Conversations {
  readonly size: number;
  /** −1 for what belongs to none. */
  find(key: string): number;
  open(key: string): number;
  insert(slot: number): void;
  remove(slot: number): void;
  members(conversation: number): readonly number[];
}

const NONE = -1;

export function createConversations(
  columns: Columns,
  idOf: (slot: number) => string,
): Conversations {
  const numbers = new Map<string, number>();
  const members: number[][] = [];

  function isBefore(a: number, b: number): boolean {
    const byTime = (columns.timestampMs[a] ?? 0) - (columns.timestampMs[b] ?? 0);
    return byTime === 0 ? idOf(a) < idOf(b) : byTime < 0;
  }

  /** Where it belongs; at the end as a rule, which is tried first. */
  function placeOf(slot: number, list: readonly number[]): number {
    const last = list.at(-1);
    if (last === undefined || isBefore(last, slot)) return list.length;
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(list[middle] ?? 0, slot)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function link(before: number | undefined, after: number | undefined): void {
    if (before !== undefined) columns.next[before] = after ?? NONE;
    if (after !== undefined) columns.previous[after] = before ?? NONE;
  }

  return {
    get size() {
      return members.length;
    },
    find: (key) => numbers.get(key) ?? NONE,
    members: (conversation) => members[conversation] ?? [],

    open(key) {
      const known = numbers.get(key);
      if (known !== undefined) return known;
      members.push([]);
      numbers.set(key, members.length - 1);
      return members.length - 1;
    },

    insert(slot) {
      columns.previous[slot] = NONE;
      columns.next[slot] = NONE;
      const list = members[columns.conversation[slot] ?? NONE];
      if (!list) return;
      const place = placeOf(slot, list);
      const [before, after] = [list[place - 1], list[place]];
      list.splice(place, 0, slot);
      link(before, slot);
      link(slot, after);
    },

    remove(slot) {
      const list = members[columns.conversation[slot] ?? NONE];
      if (!list) return;
      const place = placeOf(slot, list);
      if (list[place] !== slot) return;
      list.splice(place, 1);
      link(list[place - 1], list[place]);
    },
  };
}
