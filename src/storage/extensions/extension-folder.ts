import { opendir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExtensionProblem } from '../../core/inventory/inventory-entry.ts';
import { errnoOf, isMissing } from '../../platform/errno-of.ts';
import { isInside } from '../../platform/is-inside.ts';

/** A folder that is looked through for skills, commands or plugins. */
export interface ExtensionFolder {
  /** Real path. */
  readonly path: string;
  /** Names of both are sorted, without hidden ones. A link may be either. */
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

export type Complain = (problem: ExtensionProblem) => void;

/** Nobody keeps as many by hand; a folder that holds more holds something else. */
const MAX_FOLDER_ENTRIES = 500;

/** Undefined when there is none, or none that may be looked into. */
export async function findExtensionFolder(
  place: string,
  folder: string,
  complain: Complain,
): Promise<ExtensionFolder | undefined> {
  const path = join(place, folder);
  try {
    const real = await realpath(path);
    if (!isInside(await realpath(place), real)) {
      complain({ path, message: 'leads out of the folder it lies in' });
      return undefined;
    }
    const { isCut, ...names } = await listNames(real);
    if (isCut) {
      const message = `holds more than ${MAX_FOLDER_ENTRIES} entries; some are left out`;
      complain({ path, message });
    }
    return { path: real, ...names };
  } catch (error) {
    if (!isMissing(error)) {
      complain({ path, message: `can't be read (${errnoOf(error) ?? 'unknown error'})` });
    }
    return undefined;
  }
}

async function listNames(path: string) {
  const directories: string[] = [];
  const files: string[] = [];
  let count = 0;
  let isCut = false;
  for await (const entry of await opendir(path)) {
    if (entry.name.startsWith('.')) continue;
    count += 1;
    isCut = count > MAX_FOLDER_ENTRIES;
    if (isCut) break;
    if (!entry.isFile()) directories.push(entry.name);
    if (!entry.isDirectory()) files.push(entry.name);
  }
  return { directories: directories.sort(), files: files.sort(), isCut };
}
