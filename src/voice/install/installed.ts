import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LOCAL_PACKAGES } from './local-packages.ts';

/** `damaged`: files are missing or have another size. `outdated`: of another version of this program. */
export type InstallState = 'installed' | 'missing' | 'damaged' | 'outdated';

/** Written last, so what it lists was there in full. */
export interface Installation {
  readonly packages: readonly string[];
  readonly files: readonly InstalledFile[];
}

export interface InstalledFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

const MANIFEST = 'installed.json';

export function manifestOf(folder: string): string {
  return join(folder, MANIFEST);
}

/** What this version of the program works with. */
export function wantedPackages(): string[] {
  return LOCAL_PACKAGES.map(({ name, version, integrity }) => `${name}@${version} ${integrity}`);
}

/** Quick: looks at names and sizes, as every request does. */
export async function findInstallState(folder: string): Promise<InstallState> {
  const installed = await readInstallation(folder);
  if (installed === undefined) return 'missing';
  if (installed.packages.join() !== wantedPackages().join()) return 'outdated';
  for (const { path, bytes } of installed.files) {
    const found = await stat(join(folder, path)).catch(() => undefined);
    if (found?.size !== bytes) return 'damaged';
  }
  return 'installed';
}

/** Reads every byte. */
export async function isIntact(folder: string): Promise<boolean> {
  if ((await findInstallState(folder)) !== 'installed') return false;
  const installed = await readInstallation(folder);
  for (const { path, sha256 } of installed?.files ?? []) {
    if ((await digestFile(join(folder, path), 'sha256')).toString('hex') !== sha256) return false;
  }
  return true;
}

export async function digestFile(path: string, algorithm: 'sha256' | 'sha512'): Promise<Buffer> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}

async function readInstallation(folder: string): Promise<Installation | undefined> {
  try {
    const { packages, files } = JSON.parse(await readFile(manifestOf(folder), 'utf8'));
    return Array.isArray(packages) && Array.isArray(files) ? { packages, files } : undefined;
  } catch {
    return undefined;
  }
}
