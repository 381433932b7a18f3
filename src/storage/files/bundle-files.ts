import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RuntimeError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json.ts';
import { MANIFEST_FILE } from '../../core/records/bundle.ts';
import { bundlePath, bundlesPath } from '../../core/records/record-paths.ts';
import type { Bundle } from '../../core/records/record-sink.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { DIRECTORY_MODE, FILE_MODE, makeDirectory } from '../../platform/owner-only.ts';

/** What bundles are written with. */
export interface BundleDisk {
  makeDirectory(path: string): Promise<void>;
  /** Fails when there is one. */
  writeFile(path: string, text: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** Without the file handle that the one of `fs/promises` makes for each file: half the processor time of a bundle. */
const writeFile = promisify(fs.writeFile);

const DIRECTORY = { mode: DIRECTORY_MODE };
const NEW_FILE = { mode: FILE_MODE, flag: 'wx' };
const WHOLE = { recursive: true, force: true };

/** For a thread that others wait for: the disk keeps one of the pool waiting instead. */
export const POOLED_DISK: BundleDisk = {
  makeDirectory: async (path) => void (await mkdir(path, DIRECTORY)),
  writeFile: (path, text) => writeFile(path, text, NEW_FILE),
  rename,
  remove: (path) => rm(path, WHOLE),
};

/** For a thread that has nothing else to do: waking the pool twenty times takes three times as long as the work itself. */
export const OWN_DISK: BundleDisk = {
  makeDirectory: async (path) => void fs.mkdirSync(path, DIRECTORY),
  writeFile: async (path, text) => fs.writeFileSync(path, text, NEW_FILE),
  rename: async (from, to) => fs.renameSync(from, to),
  remove: async (path) => fs.rmSync(path, WHOLE),
};

const FILE_NAME = /^[a-z0-9][a-z0-9.-]{0,63}$/;

/**
 * Writes a bundle beside its place and renames it, so that it appears whole or not at all. One file after the other:
 * on a file system where a new file costs half a millisecond, more at once would keep tools out of the thread pool.
 *
 * Bundles are not synced. Six syncs for every run would compete with those of the log, which holds all that is in
 * them; a process that dies loses nothing, and after a power loss `hasBundle` finds the damaged ones.
 */
export async function writeBundle(disk: BundleDisk, root: string, bundle: Bundle): Promise<void> {
  const directory = join(root, bundlesPath(bundle.agentId));
  const place = join(root, bundlePath(bundle.agentId, bundle.runId));
  // No run id begins with a dot, so these names are free.
  const fresh = join(directory, `.${bundle.runId}.new`);
  await makeFresh(disk, directory, fresh);
  try {
    for (const [name, text] of bundle.files) {
      await disk.writeFile(join(fresh, checkedName(name)), text);
    }
    const old = join(directory, `.${bundle.runId}.old`);
    await replaceDirectory(disk, { fresh, place, old });
  } catch (error) {
    await disk.remove(fresh).catch(() => {});
    throw error;
  }
}

/** Whether a run's bundle is there with every file as it was written. */
export async function hasBundle(root: string, agentId: string, runId: string): Promise<boolean> {
  const place = join(root, bundlePath(agentId, runId));
  try {
    const manifest: unknown = JSON.parse(await readFile(join(place, MANIFEST_FILE), 'utf8'));
    const files = isJsonObject(manifest) ? manifest['files'] : undefined;
    if (!isJsonObject(files)) return false;
    for (const [name, sha256] of Object.entries(files)) {
      const content = await readFile(join(place, checkedName(name)));
      if (createHash('sha256').update(content).digest('hex') !== sha256) return false;
    }
    return true;
  } catch {
    // Whatever keeps it from being read: writing it again either helps or reports why not.
    return false;
  }
}

async function makeFresh(disk: BundleDisk, directory: string, fresh: string): Promise<void> {
  try {
    await disk.makeDirectory(fresh);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') await makeDirectory(directory);
    else if (code === 'EEXIST') await disk.remove(fresh);
    else throw error;
    await disk.makeDirectory(fresh);
  }
}

interface Replacement {
  readonly fresh: string;
  readonly place: string;
  readonly old: string;
}

/** A directory that has files can not be renamed over, so the old one steps aside first. */
async function replaceDirectory(
  disk: BundleDisk,
  { fresh, place, old }: Replacement,
): Promise<void> {
  try {
    await disk.rename(fresh, place);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    await disk.remove(old);
    await disk.rename(place, old);
    await disk.rename(fresh, place);
    await disk.remove(old);
  }
}

function checkedName(name: string): string {
  if (FILE_NAME.test(name)) return name;
  throw new RuntimeError('invalid_input', `bundle file name ${JSON.stringify(name)} is not valid`);
}
