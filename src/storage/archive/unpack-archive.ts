import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract as createExtract, type Entry } from 'tar-stream';
import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { DIRECTORY_MODE, makeDirectory } from '../../platform/owner-only.ts';
import { damagedArchive, findDiskFault, unlessAborted } from './archive-faults.ts';
import {
  type ArchiveHeader,
  countFiles,
  HEADER_NAME,
  MANIFEST_NAME,
  type ManifestEntry,
} from './archive-shapes.ts';
import { parseHeader, parseManifest } from './parse-archive.ts';
import { isBelow, isInWorkspace, isSafePath } from './safe-path.ts';

export interface Unpacking {
  readonly file: string;
  /** Takes everything below it; must be there. */
  readonly folder: string;
  /** Throws when this archive is not to be unpacked. Nothing was written before. */
  readonly onHeader: (header: ArchiveHeader) => Promise<void>;
  /** Where an entry lies below the folder; undefined: it is checked and not written. */
  readonly toPlace: (path: string) => string | undefined;
  /** Whether every file has to be on the disk when this returns. */
  readonly isDurable: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

export interface UnpackedArchive {
  readonly header: ArchiveHeader;
  /** Folders are not counted. */
  readonly files: number;
  /** Of all files together. */
  readonly bytes: number;
  /** Of the archive itself. */
  readonly sha256: string;
}

/** Writes what is in an archive below a folder, and throws unless every byte is as its manifest says. */
export async function unpackArchive(unpacking: Unpacking): Promise<UnpackedArchive> {
  const { file, signal } = unpacking;
  const extract = createExtract();
  const hash = createHash('sha256');
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const reading = pipeline(createReadStream(file), measure, createGunzip(), extract, { signal });
  const reader = new ArchiveReader(unpacking);
  const taken = takeAll(extract, reader).catch((error: unknown) => {
    extract.destroy();
    throw error;
  });
  const [read, took] = await Promise.allSettled([reading, taken]);
  unlessAborted(signal);
  if (took.status === 'rejected' && took.reason instanceof RuntimeError) throw took.reason;
  for (const ended of [took, read]) {
    const fault = ended.status === 'rejected' && findDiskFault(`unpacking ${file}`, ended.reason);
    if (fault) throw fault;
  }
  if (read.status === 'rejected')
    throw damagedArchive(file, 'is damaged or cut short', read.reason);
  if (took.status === 'rejected') throw took.reason;
  return { ...(await reader.finish()), sha256: hash.digest('hex') };
}

async function takeAll(entries: AsyncIterable<Entry>, reader: ArchiveReader): Promise<void> {
  for await (const entry of entries) {
    await reader.take(entry);
    // What was not read would hold up the rest.
    entry.resume();
  }
}

interface Link {
  readonly place: string;
  readonly target: string;
}

class ArchiveReader {
  readonly #unpacking: Unpacking;
  #header: ArchiveHeader | undefined;
  #isComplete = false;
  readonly #found = new Map<string, ManifestEntry>();
  /** Made at the very end: nothing is ever written through one. */
  readonly #links: Link[] = [];
  #bytes = 0;

  constructor(unpacking: Unpacking) {
    this.#unpacking = unpacking;
  }

  async take(entry: Entry): Promise<void> {
    unlessAborted(this.#unpacking.signal);
    const { name } = entry.header;
    if (this.#isComplete) throw this.#damaged('goes on behind its end');
    if (this.#header === undefined) {
      if (name !== HEADER_NAME) throw this.#damaged('is no backup of claw');
      this.#header = await parseHeader(entry, this.#unpacking.file);
      await this.#unpacking.onHeader(this.#header);
    } else if (name === MANIFEST_NAME) {
      const { entries } = await parseManifest(entry, this.#unpacking.file);
      this.#compare(entries);
      this.#isComplete = true;
    } else {
      await this.#takeEntry(entry, this.#header);
    }
  }

  async finish(): Promise<Omit<UnpackedArchive, 'sha256'>> {
    if (this.#header === undefined || !this.#isComplete) throw this.#damaged('is cut short');
    // The longest first: one inside another finds a folder there, and the other one then is in its way.
    for (const { place, target } of this.#links.sort((a, b) => b.place.length - a.place.length)) {
      await makeDirectory(dirname(place));
      await symlink(target, place).catch((error: unknown) => {
        if (errnoOf(error) !== 'EEXIST') throw error;
        throw this.#damaged('has a link and files in the same place');
      });
    }
    return { header: this.#header, files: countFiles(this.#found.values()), bytes: this.#bytes };
  }

  async #takeEntry(entry: Entry, header: ArchiveHeader): Promise<void> {
    const path = (entry.header.name ?? '').replace(/\/$/, '');
    if (!isSafePath(path) || !header.places.some((place) => isBelow(place, path))) {
      throw this.#damaged(`names a place outside the state root: ${JSON.stringify(path)}`);
    }
    if (this.#found.has(path)) throw this.#damaged(`holds ${path} twice`);
    if (this.#found.size >= header.max_entries) throw this.#damaged('holds more than it says');
    const place = this.#unpacking.toPlace(path);
    const target = place === undefined ? undefined : join(this.#unpacking.folder, place);
    this.#found.set(path, await this.#write(entry, { path, target, header }));
    this.#unpacking.onProgress(this.#bytes);
  }

  async #write(
    entry: Entry,
    { path, target, header }: { path: string; target: string | undefined; header: ArchiveHeader },
  ): Promise<ManifestEntry> {
    const { type, mode = 0, linkname } = entry.header;
    const isWork = isInWorkspace(header.workspace, path);
    switch (type) {
      case 'directory':
        if (target !== undefined) await this.#makeFolder(target, isWork ? mode : 0);
        return [path, 0, ''];
      case 'symlink': {
        if (!isWork) throw this.#damaged(`has a link where there can be none: ${path}`);
        const leadsTo = linkname ?? '';
        if (target !== undefined) this.#links.push({ place: target, target: leadsTo });
        return [path, 0, createHash('sha256').update(leadsTo).digest('hex')];
      }
      case 'file':
        return this.#writeFile(entry, { path, target, mode: isWork ? mode : 0 }, header);
      default:
        throw this.#damaged(`holds something that is neither file nor folder: ${path}`);
    }
  }

  /** For its owner at least: files have to get into it. */
  async #makeFolder(target: string, mode: number): Promise<void> {
    await makeDirectory(dirname(target));
    await mkdir(target, { recursive: true, mode: DIRECTORY_MODE | (mode & 0o077) });
  }

  async #writeFile(
    entry: Entry,
    { path, target, mode }: { path: string; target: string | undefined; mode: number },
    header: ArchiveHeader,
  ): Promise<ManifestEntry> {
    const hash = createHash('sha256');
    let size = 0;
    const check = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk);
        size += chunk.length;
        this.#bytes += chunk.length;
        const isTooMuch = this.#bytes > header.max_bytes;
        done(isTooMuch ? this.#damaged('holds more than it says') : null, chunk);
      },
    });
    if (target === undefined) {
      await pipeline(entry, check.resume());
    } else {
      await makeDirectory(dirname(target));
      const { isDurable } = this.#unpacking;
      const options = { flags: 'wx', mode: 0o600 | (mode & 0o177), flush: isDurable };
      await pipeline(entry, check, createWriteStream(target, options));
    }
    return [path, size, hash.digest('hex')];
  }

  #compare(entries: readonly ManifestEntry[]): void {
    if (entries.length !== this.#found.size) throw this.#damaged('lacks files, or holds others');
    for (const [path, size, sha256] of entries) {
      const found = this.#found.get(path);
      if (found === undefined) throw this.#damaged(`lacks ${path}`);
      if (found[1] !== size || found[2] !== sha256) throw this.#damaged(`was altered: ${path}`);
    }
  }

  #damaged(problem: string): RuntimeError {
    return damagedArchive(this.#unpacking.file, problem);
  }
}
