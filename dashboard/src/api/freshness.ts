/** Nouns that change only with events, which `live` follows. */
const TOLD: ReadonlySet<string> = new Set(['runs', 'approvals']);
/** How often anything else is read again while it is looked at: others change it, and no event tells of it. */
const UNTOLD_MS = 10_000;
/** What no event of its noun tells of. A difference follows its file, and there may be one for each of many questions. */
const OWN_PACE_MS: Readonly<Record<string, number>> = { 'approvals.preview': 30_000 };
/**
 * Heavy and seldom changed, or no mere look: a search makes what it finds count for more, and records that grow would
 * move away from under whoever reads them. Read when somebody asks, and after a change that this page made itself.
 */
const ONLY_ASKED: ReadonlySet<string> = new Set([
  'memory.search',
  'security.checklist',
  'config.schema',
  'agents.templates',
  'audit.list',
]);

/** When to read the answer of an operation again, by its name, while it is looked at. False: no clock decides that. */
export function refreshMsOf(name: string): number | false {
  if (ONLY_ASKED.has(name)) return false;
  return OWN_PACE_MS[name] ?? (TOLD.has(nounOf(name)) ? false : UNTOLD_MS);
}

interface PagesQuery {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined };
}

/** Of a list that comes in pages. Whoever went further down keeps their place, and their pages: all would be asked for. */
export function refreshMsOfPages(name: string): (query: PagesQuery) => number | false {
  return ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refreshMsOf(name));
}

/** Whether an event about its noun may have changed it. */
export function isTold(name: unknown): boolean {
  return !isOnlyAsked(name) && OWN_PACE_MS[String(name)] === undefined;
}

/** Whether nothing but a person makes it worth reading again. */
export function isOnlyAsked(name: unknown): boolean {
  return ONLY_ASKED.has(String(name));
}

/** `jobs` of `jobs.list`. */
export function nounOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}
