import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What is made once for a run: bundled scripts. */
export const TEST_CACHE = join(import.meta.dirname, '../../node_modules/.cache/pincer-test');

/** Another run in this folder may be using what is newer. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

export async function removeOldCaches(): Promise<void> {
  for (const name of await readdir(TEST_CACHE).catch(() => [])) {
    const path = join(TEST_CACHE, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > MAX_AGE_MS) await rm(path, { recursive: true, force: true });
  }
}
