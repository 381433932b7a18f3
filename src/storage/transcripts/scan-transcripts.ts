import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { isTranscriptId } from '../../core/transcripts/transcript-id.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { letOthersWork, SAFE_FLAGS } from './read-transcript.ts';
import { diskFault } from './transcript-faults.ts';
import {
  EXTENSIONS,
  listFolders,
  type TranscriptFile,
  type TranscriptPlaces,
} from './transcript-places.ts';

export interface DatedFile extends TranscriptFile {
  readonly mtimeMs: number;
  /** When the transcript was updated, as far as the look at it went. */
  readonly updatedAtMs: number;
}

/** Last updated first, then the newest file, then the greatest id. */
export function compareDates(a: Omit<DatedFile, 'path'>, b: Omit<DatedFile, 'path'>): number {
  return b.updatedAtMs - a.updatedAtMs || b.mtimeMs - a.mtimeMs || (a.id < b.id ? 1 : -1);
}

/** Files looked at before something else gets its turn, as an interrupt. */
const BATCH = 16;

export async function inBatches<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let next = 0; next < items.length; next += BATCH) {
    if (next > 0) await letOthersWork();
    results.push(...(await Promise.all(items.slice(next, next + BATCH).map(work))));
  }
  return results;
}

/** The files that may hold transcripts, newest first; of several for one id the one that would be loaded. */
export async function scanTranscripts(places: TranscriptPlaces): Promise<DatedFile[]> {
  const files = new Map<string, TranscriptFile>();
  for (const folder of listFolders(places)) {
    const names = await listNames(folder);
    for (const extension of EXTENSIONS) {
      for (const name of names) {
        const id = name.slice(0, -extension.length);
        if (!name.endsWith(extension) || !isTranscriptId(id) || files.has(id)) continue;
        files.set(id, { id, path: join(folder, name) });
      }
    }
  }
  const dated = await inBatches([...files.values()], async (file) => {
    const mtimeMs = await readMtime(file.path);
    return { ...file, mtimeMs, updatedAtMs: mtimeMs };
  });
  return dated.sort(compareDates);
}

async function listNames(folder: string): Promise<string[]> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return [];
    throw diskFault('readdir', folder, cause);
  }
}

/** One that is gone by now, or a link to nowhere, is as old as can be. */
async function readMtime(path: string): Promise<number> {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** Last updated first, by what the transcripts themselves say: two short reads each. */
export async function sortByUpdate(files: readonly DatedFile[]): Promise<DatedFile[]> {
  const stamped = await inBatches(files, async (file) => ({
    ...file,
    updatedAtMs: await readStamp(file),
  }));
  return stamped.sort(compareDates);
}

const STAMP_BYTES = 16 * 1024;

/** By the first and the last line; where those are too long, or others, as new as the file. */
async function readStamp({ path, mtimeMs }: DatedFile): Promise<number> {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | SAFE_FLAGS);
    const { size } = fstatSync(fd);
    const head = readText(fd, 0);
    const tail = readText(fd, Math.max(0, size - STAMP_BYTES));
    const first = findRecord(head.split('\n', 1)[0])?.['updated_at_ms'];
    const last = findRecord(tail.trimEnd().split('\n').at(-1));
    if (typeof first !== 'number' || last === undefined) return mtimeMs;
    const added = last['timestamp_ms'];
    return typeof added === 'number' ? Math.max(first, added) : first;
  } catch {
    return 0;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function readText(fd: number, position: number): string {
  const buffer = Buffer.alloc(STAMP_BYTES);
  const bytesRead = readSync(fd, buffer, 0, STAMP_BYTES, position);
  return buffer.toString('utf8', 0, bytesRead);
}

function findRecord(line: string | undefined): JsonObject | undefined {
  try {
    const record: unknown = JSON.parse(line ?? '');
    return isJsonObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
}
