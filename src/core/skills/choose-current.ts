import type { ReleaseHead } from './skill-store.ts';

/** Of each skill the newest release that is not deprecated, by skill. */
export function chooseCurrent(heads: readonly ReleaseHead[]): ReleaseHead[] {
  const newest = new Map<string, ReleaseHead>();
  for (const head of heads) {
    if (head.state === 'deprecated') continue;
    const other = newest.get(head.skillId);
    if (!other || other.version < head.version) newest.set(head.skillId, head);
  }
  return [...newest.values()].sort((a, b) => (a.skillId < b.skillId ? -1 : 1));
}
