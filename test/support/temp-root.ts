import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempRoot {
  readonly path: string;
  remove(): Promise<void>;
}

/** A fresh directory of its own for one test; the real path, since path guards compare real paths. */
export async function openTempRoot(): Promise<TempRoot> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'pincer-test-')));
  return {
    path,
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
