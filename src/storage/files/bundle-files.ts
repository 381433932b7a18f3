import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json.ts';
import { MANIFEST_FILE } from '../../core/records/bundle.ts';
import { bundlePath, bundlesPath } from '../../core/records/record-paths.ts';
import type { Bundle } from '../../core/records/record-sink.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { DIRECTORY_MODE, FILE_MODE, makeDirectory } from '../../platform/owner-only.ts';

const FILE_NAME = /^[a-z0-9][a-z0-9.-]{0,63}$/;

/**
 * Writes a bundle beside its place and renames it, so that it appears whole or not at all. One file after the other:
 * on a file system where a new file costs half a millisecond, more at once would keep tools out of the thread pool.
 *
 * Bundles are not synced. Six syncs for every run would compete with those of the log, which holds all that is in
 * them; a process that dies loses nothing, and after a power loss `hasBundle` finds the damaged ones.
 */
export async function writeBundle(root: string, bundle: Bundle): Promise<void> {
  const directory = join(root, bundlesPath(bundle.agentId));
  const place = join(root, bundlePath(bundle.agentId, bundle.runId));
  // No run id begins with a dot, so these names are free.
  const fresh = join(directory, `.${bundle.runId}.new`);
  await makeFresh(directory, fresh);
  try {
    for (const [name, text] of bundle.files) {
      const path = join(fresh, checkedName(name));
      await writeFile(path, text, { mode: FILE_MODE, flag: 'wx' });
    }
    await replaceDirectory(fresh, place, join(directory, `.${bundle.runId}.old`));
  } catch (error) {
    await rm(fresh, { recursive: true, force: true }).catch(() => {});
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

async function makeFresh(directory: string, fresh: string): Promise<void> {
  try {
    await mkdir(fresh, { mode: DIRECTORY_MODE });
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') await makeDirectory(directory);
    else if (code === 'EEXIST') await rm(fresh, { recursive: true, force: true });
    else throw error;
    await mkdir(fresh, { mode: DIRECTORY_MODE });
  }
}

/** A directory that has files can not be renamed over, so the old one steps aside first. */
async function replaceDirectory(fresh: string, place: string, old: string): Promise<void> {
  try {
    await rename(fresh, place);
  } catch (error) {
    const code = errnoOf(error);
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
