import type { Inventory, InventoryEntry } from './inventory-entry.ts';

export interface RouteMatch {
  readonly kind: 'command' | 'tool';
  readonly name: string;
  /** How much of the prompt the entry speaks of: matched tokens / tokens, in (0, 1], to four decimals. */
  readonly score: number;
  readonly sourceHint: string;
}

/** Of a longer prompt the first ones count: every token is looked for in every entry. */
const MAX_TOKENS = 512;

/**
 * What a prompt is probably about: the best command, the best tool, then whatever matches best. Plain text matching,
 * so that it gives the same answer everywhere and needs no model.
 */
export function routePrompt(inventory: Inventory, prompt: string, limit: number): RouteMatch[] {
  const tokens = tokenize(prompt);
  const commands = score(inventory.commands, tokens);
  const tools = score(inventory.tools, tokens);
  const first = [...commands.slice(0, 1), ...tools.slice(0, 1)];
  const others = [...commands.slice(1), ...tools.slice(1)].sort(
    (a, b) =>
      b.matched - a.matched ||
      order(a.entry.kind, b.entry.kind) ||
      order(a.entry.name, b.entry.name),
  );
  return [...first, ...others].slice(0, limit).map(({ entry, matched }) => ({
    kind: entry.kind,
    name: entry.name,
    score: Math.round((matched / tokens.length) * 10_000) / 10_000,
    sourceHint: entry.sourceHint,
  }));
}

function tokenize(prompt: string): string[] {
  const words = prompt.replace(/[/-]/g, ' ').toLowerCase().split(/\s+/);
  return [...new Set(words.filter((word) => word !== ''))].slice(0, MAX_TOKENS);
}

interface Scored {
  readonly entry: InventoryEntry;
  readonly matched: number;
}

/** Best first; what matches nothing is left out. */
function score(entries: readonly InventoryEntry[], tokens: readonly string[]): Scored[] {
  return entries
    .map((entry) => ({ entry, matched: countMatches(entry, tokens) }))
    .filter(({ matched }) => matched > 0)
    .sort((a, b) => b.matched - a.matched || order(a.entry.name, b.entry.name));
}

function countMatches(entry: InventoryEntry, tokens: readonly string[]): number {
  const texts = [entry.name, entry.sourceHint, entry.responsibility].map((text) =>
    text.toLowerCase(),
  );
  return tokens.filter((token) => texts.some((text) => text.includes(token))).length;
}

/** Upper case before lower case, and the same in every locale. */
function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
