import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import { bundlePath, bundlesPath } from '../../core/records/record-paths.ts';
import type { Bundle } from '../../core/records/record-sink.ts';
import { FILE_MODE, makeDirectory, syncPath } from './owner-only.ts';

const FILE_NAME = /^[a-z0-9][a-z0-9.-]{0,63}$/;
const PARALLEL_SYNCS = 4;

/**
 * Bundles appear whole or not at all: they are written beside their place and renamed. Syncing waits for `sync`,
 * which runs before their runs are marked; a bundle that a power loss damages before that is written again.
 */
export class BundleFiles {
  readonly #root: string;
  #unsynced: string[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  async write(bundle: Bundle): Promise<void> {
    const directory = join(this.#root, bundlesPath(bundle.agentId));
    const place = join(this.#root, bundlePath(bundle.agentId, bundle.runId));
    // No run id begins with a dot, so these names are free.
    const fresh = join(directory, `.${bundle.runId}.new`);
    await rm(fresh, { recursive: true, force: true });
    await makeDirectory(fresh);
    try {
      for (const [name, text] of bundle.files) {
        await writeFile(join(fresh, checkedName(name)), text, { mode: FILE_MODE, flag: 'wx' });
      }
      await replaceDirectory(fresh, place, join(directory, `.${bundle.runId}.old`));
    } catch (error) {
      await rm(fresh, { recursive: true, force: true }).catch(() => {});
      throw error;
    }
    for (const name of bundle.files.keys()) this.#unsynced.push(join(place, name));
    this.#unsynced.push(place, directory);
  }

  async sync(): Promise<void> {
    const paths = new Set(this.#unsynced);
    const queue = paths.values();
    const lanes = Array.from({ length: PARALLEL_SYNCS }, async () => {
      for (const path of queue) await syncPath(path);
    });
    const results = await Promise.allSettled(lanes);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    this.#unsynced = this.#unsynced.filter((path) => !paths.has(path));
  }
}

/** A directory that has files can not be renamed over, so the old one steps aside first. */
async function replaceDirectory(fresh: string, place: string, old: string): Promise<void> {
  try {
    await rename(fresh, place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    await rm(old, { recursive: true, force: true });
    await rename(place, old);
    await rename(fresh, place);
    await rm(old, { recursive: true, force: true });
  }
}

function checkedName(name: string): string {
  if (FILE_NAME.test(name)) return name;
  throw new RuntimeError('invalid_input', `bundle file name ${JSON.stringify(name)} is not valid`);
}
