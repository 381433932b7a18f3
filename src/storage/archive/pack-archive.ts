import { createHash } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack as createPack, type Headers, type Pack } from 'tar-stream';
import { RuntimeError } from '../../core/errors.ts';
import { isMissing } from '../../platform/errno-of.ts';
import { FILE_MODE } from '../../platform/owner-only.ts';
import { findDiskFault, unlessAborted } from './archive-faults.ts';
import {
  type ArchiveHeader,
  countFiles,
  HEADER_NAME,
  MANIFEST_NAME,
  type ManifestEntry,
} from './archive-shapes.ts';
import { findLineEnd } from './find-line-end.ts';
import type { ListedEntry } from './list-entries.ts';
import { isInWorkspace } from './safe-path.ts';

export interface Packing {
  readonly root: string;
  /** Is created, and must not be there. */
  readonly file: string;
  readonly header: ArchiveHeader;
  readonly entries: readonly ListedEntry[];
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

export interface PackedArchive {
  readonly bytes: number;
  readonly sha256: string;
  /** Folders are not counted. */
  readonly files: number;
}

/** Most of a backup is text; above this zlib takes twice the time for a few percent. */
const LEVEL = 4;

/** Streams everything into one file that is on the disk when this returns. Files that are gone by then are not in it. */
export async function packArchive(packing: Packing): Promise<PackedArchive> {
  const { file, signal } = packing;
  const pack = createPack();
  const measure = createMeasure();
  const output = createWriteStream(file, { flags: 'wx', mode: FILE_MODE, flush: true });
  const written = pipeline(pack, createGzip({ level: LEVEL }), measure.stream, output, { signal });
  // Whichever fails ends the other.
  const filled = fill(pack, packing).catch((error: unknown) => {
    pack.destroy(error instanceof Error ? error : new Error('packing failed'));
    throw error;
  });
  const [filling, writing] = await Promise.allSettled([filled, written]);
  unlessAborted(signal);
  for (const ended of [writing, filling]) {
    const fault = ended.status === 'rejected' && findDiskFault(`writing ${file}`, ended.reason);
    if (fault) throw fault;
  }
  // What filling failed with is why writing did.
  if (filling.status === 'rejected') throw filling.reason;
  if (writing.status === 'rejected') throw writing.reason;
  return { ...measure.result(), files: filling.value };
}

async function fill(pack: Pack, packing: Packing): Promise<number> {
  const { header, entries, onProgress, signal } = packing;
  await addText(pack, HEADER_NAME, header);
  const manifest: ManifestEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    unlessAborted(signal);
    const added = await addEntry(pack, packing, entry);
    if (added === undefined) continue;
    manifest.push(added);
    bytes += added[1];
    onProgress(bytes);
  }
  await addText(pack, MANIFEST_NAME, { entries: manifest });
  pack.finalize();
  return countFiles(manifest);
}

function addText(pack: Pack, name: string, value: object): Promise<void> {
  const content = Buffer.from(`${JSON.stringify(value)}\n`);
  return write(pack, { name, size: content.length, mode: FILE_MODE }, async (sink) => {
    sink.end(content);
  });
}

async function addEntry(
  pack: Pack,
  { root, header }: Packing,
  entry: ListedEntry,
): Promise<ManifestEntry | undefined> {
  const { path: name, mode, kind } = entry;
  const shared = { name, mode, mtime: new Date(entry.mtimeMs) };
  if (kind === 'directory') {
    await write(pack, { ...shared, type: 'directory', size: 0 }, async (sink) => void sink.end());
    return [name, 0, ''];
  }
  if (kind === 'symlink') {
    const linkname = entry.target ?? '';
    await write(pack, { ...shared, type: 'symlink', linkname, size: 0 }, async (sink) => {
      sink.end();
    });
    return [name, 0, createHash('sha256').update(linkname).digest('hex')];
  }
  if (entry.content !== undefined) {
    const { content: given } = entry;
    const content = typeof given === 'string' ? Buffer.from(given) : given;
    await write(pack, { ...shared, size: content.length }, async (sink) => void sink.end(content));
    return [name, content.length, createHash('sha256').update(content).digest('hex')];
  }
  // Our own files are replaced as wholes: half of one is nothing.
  const isReplaced = !name.endsWith('.jsonl') && !isInWorkspace(header.workspace, name);
  return addFile(pack, entry, { source: entry.source ?? join(root, name), isReplaced });
}

async function addFile(
  pack: Pack,
  entry: ListedEntry,
  { source, isReplaced }: { readonly source: string; readonly isReplaced: boolean },
): Promise<ManifestEntry | undefined> {
  const handle = await openFile(source);
  if (handle === undefined) return undefined;
  try {
    const { size: now } = await handle.stat();
    const limit = isReplaced ? now : Math.min(entry.bytes, now);
    // A line that is being written would be a torn one in the copy.
    const size = entry.path.endsWith('.jsonl') ? await findLineEnd(handle, limit) : limit;
    const hash = createHash('sha256');
    const header = { name: entry.path, mode: entry.mode, mtime: new Date(entry.mtimeMs), size };
    await write(pack, header, async (sink) => {
      await copyBytes(handle, size, { sink, hash, path: entry.path });
      sink.end();
    });
    return [entry.path, size, hash.digest('hex')];
  } finally {
    await handle.close();
  }
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const CHUNK_BYTES = 256 * 1024;

interface Destination {
  readonly sink: Writable;
  readonly hash: ReturnType<typeof createHash>;
  readonly path: string;
}

async function copyBytes(handle: FileHandle, size: number, to: Destination): Promise<void> {
  for (let at = 0; at < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw changedMeanwhile(to.path);
    const read = chunk.subarray(0, bytesRead);
    to.hash.update(read);
    at += bytesRead;
    if (!to.sink.write(read)) await drained(to.sink);
  }
}

function drained(sink: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      sink.off('drain', settle).off('error', settle).off('close', settle);
      if (error === undefined && !sink.destroyed) resolve();
      else reject(error ?? new Error('the archive was closed'));
    };
    sink.on('drain', settle).on('error', settle).on('close', settle);
  });
}

function changedMeanwhile(path: string): RuntimeError {
  return new RuntimeError('conflict', `${path} became shorter while it was read`, {
    retryable: true,
    details: { fix: 'make the backup again' },
  });
}

/** One entry, from its header to its end. */
function write(
  pack: Pack,
  headers: Headers,
  fillSink: (sink: Writable) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sink = pack.entry(headers, (error) => (error ? reject(error) : resolve()));
    fillSink(sink).catch(reject);
  });
}

function createMeasure() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}
