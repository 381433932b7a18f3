import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { RuntimeError } from '../../core/errors.ts';
import { DIRECTORY_MODE, FILE_MODE } from '../../platform/owner-only.ts';
import { toTemporaryPath } from '../../platform/temporary-path.ts';
import { digestFile, type InstalledFile } from './installed.ts';
import type { LocalPackage } from './local-packages.ts';

/** In every tarball of npm the package lies in a folder, as a rule of this name. */
const ROOT = /^[^/]+\//;

/** The files that are wanted of a verified tarball, each in one step. */
export async function unpackFiles(
  tarball: string,
  { name, files }: LocalPackage,
  folder: string,
): Promise<InstalledFile[]> {
  const missing = new Map(Object.entries(files));
  const unpacked: string[] = [];
  const entries = extract();
  const reading = pipeline(createReadStream(tarball), createGunzip(), entries);
  // A tarball that ends early fails the loop below too, which is where it is heard.
  reading.catch(() => {});
  for await (const entry of entries) {
    const path = entry.header.name.replace(ROOT, '');
    const target = missing.get(path);
    if (target === undefined || entry.header.type !== 'file') {
      entry.resume();
      continue;
    }
    await put(entry, join(folder, target));
    missing.delete(path);
    unpacked.push(target);
  }
  await reading;
  if (missing.size > 0) {
    throw new RuntimeError('internal', `${name} has no ${[...missing.keys()].join(', ')}`);
  }
  return Promise.all(unpacked.map((path) => describe(folder, path)));
}

async function put(content: NodeJS.ReadableStream, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: DIRECTORY_MODE });
  const temporary = toTemporaryPath(target);
  try {
    await pipeline(content, createWriteStream(temporary, { mode: FILE_MODE, flush: true }));
    await rename(temporary, target);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function describe(folder: string, path: string): Promise<InstalledFile> {
  const { size } = await stat(join(folder, path));
  return {
    path,
    bytes: size,
    sha256: (await digestFile(join(folder, path), 'sha256')).toString('hex'),
  };
}
