/** Nouns that change only with events, which `live` follows. */
const TOLD: ReadonlySet<string> = new Set(['runs', 'sessions', 'approvals', 'effects']);
/** How often anything else is read again while it is looked at: others change it, and no event tells of it. */
const UNTOLD_MS = 10_000;
/**
 * Heavy and seldom changed, or no mere look: a search makes what it finds count for more. Read when somebody asks for
 * it, and after a change that this page made itself.
 */
const ONLY_ASKED: ReadonlySet<string> = new Set([
  'memory.search',
  'security.checklist',
  'config.schema',
  'agents.templates',
]);

/** When to read the answer of an operation again, by its name, while it is looked at. False: no clock decides that. */
export function refreshMsOf(name: string): number | false {
  return ONLY_ASKED.has(name) || TOLD.has(nounOf(name)) ? false : UNTOLD_MS;
}

/** Whether nothing but a person makes it worth reading again. */
export function isOnlyAsked(name: unknown): boolean {
  return typeof name === 'string' && ONLY_ASKED.has(name);
}

/** `jobs` of `jobs.list`. */
export function nounOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}
