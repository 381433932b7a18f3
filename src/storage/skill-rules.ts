import type { JsonObject } from '../core/json.ts';
import type { PutSpecResult, SpecBounds, StoredSpec } from '../core/skills/skill-store.ts';

export interface SpecTotals {
  readonly specs: number;
  readonly bytes: number;
}

export function encodeDocument(document: JsonObject): string {
  return JSON.stringify(document);
}

/** The size that counts against the bounds. */
export function sizeOf(document: string): number {
  return Buffer.byteLength(document);
}

/** A row that can't be read is an altered one: whoever checks releases finds it to be none. */
export function decodeDocument(stored: string): JsonObject {
  try {
    return JSON.parse(stored) as JsonObject;
  } catch {
    return {};
  }
}

/** Whether what is about to be written fits beside the rest; `totals` count the row in its present form. */
export function hasRoom(
  totals: SpecTotals,
  change: { readonly stored: StoredSpec | undefined; readonly next: StoredSpec },
  bounds: SpecBounds,
): boolean {
  const { stored, next } = change;
  const before = stored ? sizeOf(encodeDocument(stored.document)) : 0;
  const bytes = totals.bytes - before + sizeOf(encodeDocument(next.document));
  return totals.specs + (stored ? 0 : 1) <= bounds.maxSpecs && bytes <= bounds.maxBytes;
}

export const FULL: PutSpecResult = { outcome: 'full' };

/** All there can be: `SpecBounds` of the core are far below. */
export const MAX_SPECS_READ = 5_000;
