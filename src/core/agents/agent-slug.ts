/** Names files, so it keeps to what every file system takes. Ids in lower case are slugs too. */
export const SLUG_PATTERN = /^[a-z0-9_-]{1,64}$/;

/** Room for a number behind it. */
const MAX_SLUG_CHARS = 56;

/** `Ágata Núñez 🦀` becomes `agata-nunez`. Undefined when nothing is left of it. */
export function toSlug(name: string): string | undefined {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_SLUG_CHARS)
    .replace(/-+$/, '');
  return slug === '' ? undefined : slug;
}

/** Parts of `/api/agents/…` that name no agent: one that was called so could not be asked for. */
const RESERVED: ReadonlySet<string> = new Set(['handoff', 'handoffs', 'spawn']);

export const isReservedName = (name: string): boolean => RESERVED.has(name.toLowerCase());

/** The wish itself, or with the lowest number from 2 on that makes it free. */
export function chooseSlug(wish: string, taken: ReadonlySet<string>): string {
  let slug = wish;
  for (let number = 2; taken.has(slug) || isReservedName(slug); number += 1)
    slug = `${wish}-${number}`;
  return slug;
}
