import type { JsonObject } from '../json.ts';
import type { PutSpecResult, SpecBounds, SpecRoom } from './skill-store.ts';

export interface SpecTotals {
  readonly specs: number;
  readonly bytes: number;
}

/** The size that counts against the bounds. */
export function sizeOf(document: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(document));
}

export interface FoundTotals {
  readonly all: SpecTotals | undefined;
  /** Of whoever puts it: where an owner is bounded, nobody else may. */
  readonly own: SpecTotals | undefined;
}

/** The size of what is there, undefined when it is new, and of what takes its place. */
export interface SizeChange {
  readonly before: number | undefined;
  readonly after: number;
}

const NOTHING: SpecTotals = { specs: 0, bytes: 0 };

/** Which bound leaves no room for what is about to be written; `totals` count the row in its present form. */
export function findFull(
  { all = NOTHING, own = NOTHING }: FoundTotals,
  change: SizeChange,
  bounds: SpecBounds,
): PutSpecResult | undefined {
  const { ofOwner } = bounds;
  if (ofOwner && !hasRoom(own, change, ofOwner)) return { outcome: 'owner_full' };
  return hasRoom(all, change, bounds) ? undefined : { outcome: 'full' };
}

function hasRoom(totals: SpecTotals, { before, after }: SizeChange, room: SpecRoom): boolean {
  const specs = totals.specs + (before === undefined ? 1 : 0);
  return specs <= room.maxSpecs && totals.bytes - (before ?? 0) + after <= room.maxBytes;
}
