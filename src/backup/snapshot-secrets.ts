import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoadedConfig } from '../config/load-config.ts';
import { systemClock } from '../core/clock.ts';
import { type Listed, listEntries } from '../storage/archive/list-entries.ts';
import { createSecretFilePlace } from '../storage/files/secrets/secret-file-place.ts';
import { awaitSecretLock } from '../storage/files/secrets/secret-writer.ts';
import { tryFileLock } from '../storage/sqlite/file-lock.ts';

/**
 * The master key and what it opens, at one moment: each file is whole at any time, but a rotation between two of them
 * would leave a key beside secrets of another. They are small, and held in memory until they are packed.
 *
 * `paths`: below the root, with `/`.
 */
export async function snapshotSecrets(
  { paths: { root }, secretFiles: { store } }: LoadedConfig,
  paths: readonly string[],
): Promise<Listed> {
  const lock = paths.some((path) => existsSync(join(root, path))) && (await lockSecrets(store));
  try {
    const all = { isLeftOut: () => false, keepsLinks: () => false };
    const { entries, leftOut } = await listEntries({ root, places: paths, ...all });
    const read = entries.map(async (entry) =>
      entry.kind === 'file' ? { ...entry, content: await readFile(join(root, entry.path)) } : entry,
    );
    return { entries: await Promise.all(read), leftOut };
  } finally {
    if (lock) lock.close();
  }
}

/** Undefined where nobody has written yet: whoever does makes the folder first. */
async function lockSecrets(store: string): Promise<{ close(): void } | undefined> {
  if (!existsSync(dirname(store))) return undefined;
  return awaitSecretLock({
    tryLock: () => tryFileLock(`${store}.lock`),
    clock: systemClock,
    place: createSecretFilePlace(store),
  });
}
