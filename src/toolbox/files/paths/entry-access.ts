import type { BigIntStats } from 'node:fs';
import { pathDenied } from '../file-errors.ts';
import type { KeyLock } from '../key-lock.ts';
import { type Boundary, identityOf, type Place } from './path-walk.ts';
import type { PinnedDirectory } from './pinned-directory.ts';

/** What the guard lends to the parts that change names: places that it has checked, and directories held open. */
export interface EntryAccess {
  /** The name itself, a link included; refuses the workspace, reserved names and control files. */
  locate(path: string): Promise<Entry>;
  /** Opens the directory that holds the name. */
  openHolder(place: Place, options: HolderOptions): Promise<PinnedDirectory>;
  readonly writers: KeyLock;
}

export interface Entry {
  readonly place: Place;
  readonly boundary: Boundary;
}

export interface HolderOptions {
  /** As the caller gave it, for messages. */
  readonly path: string;
  readonly createParents?: boolean;
}

export type EntryType = 'file' | 'dir';

/** A link counts as the file that it is, wherever it leads. */
export function entryType(stats: BigIntStats): EntryType {
  return stats.isDirectory() ? 'dir' : 'file';
}

/** Proves that a held directory still has under `place.name` what the walk has checked. */
export async function assertUnchanged(
  holder: PinnedDirectory,
  place: Place,
  path: string,
): Promise<void> {
  const now = await holder.findEntry(place.name);
  const then = place.stat;
  if (now === undefined || then === undefined || identityOf(now) !== identityOf(then)) {
    throw pathDenied(path, 'path_changed');
  }
}
