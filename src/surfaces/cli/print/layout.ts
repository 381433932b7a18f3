import { formatLocalTime } from './format.ts';
import type { Style } from './style.ts';

export type Fact = readonly [name: string, value: string];

/** Names and values under each other; what has no value is left out. */
export function formatFacts(facts: readonly Fact[], style: Style): string {
  const shown = facts.filter(([, value]) => value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${style.dim(name.padEnd(width))}  ${value}`).join('\n');
}

/** Columns as wide as their widest cell; the last one as it is. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `2026-02-15 09:30:00` of an ISO date, in the time of whoever reads it; empty for none. */
export function formatDate(iso: string | null): string {
  return iso === null ? '' : formatLocalTime(Date.parse(iso));
}

export function moreLine(nextCursor: string | null, style: Style): string[] {
  return nextCursor === null ? [] : [style.dim(`more: --cursor ${nextCursor}`)];
}
