import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../platform/owner-only.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { type FetchDeps, fetchTarball } from './fetch-tarball.ts';
import {
  type Installation,
  type InstalledFile,
  isIntact,
  manifestOf,
  wantedPackages,
} from './installed.ts';
import { LOCAL_PACKAGES } from './local-packages.ts';

export interface InstallDeps extends FetchDeps {
  /** Where it goes. */
  readonly folder: string;
  /** Hears what is about to be done. */
  onStep(step: InstallStep): void;
}

export interface InstallStep {
  readonly package: string;
  /** From 1. */
  readonly no: number;
  readonly count: number;
  readonly bytes: number;
}

const DOWNLOADS = 'downloads';

/**
 * Brings what local speech needs. It may be interrupted at any point and begun again: tarballs that arrived stay until
 * all of them are unpacked, and nothing counts as installed before the last one is. False: all of it was there, and whole.
 */
export async function installLocalSpeech(deps: InstallDeps): Promise<boolean> {
  const { folder } = deps;
  if (await isIntact(folder)) return false;
  const downloads = join(folder, DOWNLOADS);
  await makeDirectory(downloads);
  const files: InstalledFile[] = [];
  for (const [index, wanted] of LOCAL_PACKAGES.entries()) {
    const { name, version, bytes } = wanted;
    const count = LOCAL_PACKAGES.length;
    deps.onStep({ package: `${name} ${version}`, no: index + 1, count, bytes });
    const { unpackFiles } = await import('./unpack-files.ts');
    const tarball = await fetchTarball(wanted, downloads, deps);
    files.push(...(await unpackFiles(tarball, wanted, folder)));
  }
  const installation: Installation = { packages: wantedPackages(), files };
  await replaceFile(manifestOf(folder), `${JSON.stringify(installation, undefined, 2)}\n`);
  await rm(downloads, { recursive: true, force: true });
  return true;
}
