import type { JsonObject } from '../core/json.ts';
import type {
  PutSpecResult,
  SpecBounds,
  SpecRoom,
  StoredSpec,
} from '../core/skills/skill-store.ts';

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

export interface SpecChange {
  readonly stored: StoredSpec | undefined;
  readonly next: StoredSpec;
}

export interface FoundTotals {
  readonly all: SpecTotals | undefined;
  /** Of whoever puts it: where an owner is bounded, nobody else may. */
  readonly own: SpecTotals | undefined;
}

const NOTHING: SpecTotals = { specs: 0, bytes: 0 };

/** Which bound leaves no room for what is about to be written; `totals` count the row in its present form. */
export function findFull(
  { all = NOTHING, own = NOTHING }: FoundTotals,
  change: SpecChange,
  bounds: SpecBounds,
): PutSpecResult | undefined {
  const { ofOwner } = bounds;
  if (ofOwner && !hasRoom(own, change, ofOwner)) return { outcome: 'owner_full' };
  return hasRoom(all, change, bounds) ? undefined : { outcome: 'full' };
}

function hasRoom(totals: SpecTotals, change: SpecChange, bounds: SpecRoom): boolean {
  const { stored, next } = change;
  const before = stored ? sizeOf(encodeDocument(stored.document)) : 0;
  const bytes = totals.bytes - before + sizeOf(encodeDocument(next.document));
  return totals.specs + (stored ? 0 : 1) <= bounds.maxSpecs && bytes <= bounds.maxBytes;
}

/** All there can be: `SpecBounds` of the core are far below. */
export const MAX_SPECS_READ = 5_000;
