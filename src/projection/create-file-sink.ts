import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeError } from '../core/errors.ts';
import type { ProjectionDocument } from '../core/projection/projection.ts';
import type { ProjectionSink } from '../core/projection/projection-sink.ts';

/** Summaries name owners: nobody but the account that runs the server reads them. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
const PLAIN_ID = /^[a-z0-9_-][a-z0-9._-]{0,159}$/;
/** How names that are made end: an id that looks like one must not take another's place. */
const MADE_NAME = /\.[0-9a-f]{16}$/;

/**
 * One JSON file for each document, replaced in one step: a reader sees the old summary or the new one, whole. Files and
 * their names are synced, because the checkpoint that follows says that the document is there.
 */
export function createFileSink(directory: string): ProjectionSink {
  return {
    kind: 'file',

    async write(document) {
      const folder = join(directory, document.projection);
      const path = join(folder, toFileName(document));
      const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
      try {
        await mkdir(folder, { recursive: true, mode: DIRECTORY_MODE });
        await writeDurably(temporary, `${JSON.stringify(document.summary, null, 2)}\n`);
        await rename(temporary, path);
        await syncFolder(folder);
      } catch (cause) {
        await rm(temporary, { force: true }).catch(() => {});
        throw toFault(path, cause);
      }
    },
  };
}

/** Ids of workers may hold colons, and two that differ in case only are one file on some systems. */
function toFileName({ id, projection }: ProjectionDocument): string {
  const name = id.slice(`runtime/${projection}:`.length);
  if (PLAIN_ID.test(name) && !MADE_NAME.test(name)) return `${name}.json`;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 100)}.${digest}.json`;
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Folders can't be opened on Windows, where a rename is durable by itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function toFault(path: string, cause: unknown): RuntimeError {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new RuntimeError('storage_unavailable', `${path} can not be written${code}`, { cause });
}
