import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { FILE_MODE, makeDirectory } from '../../platform/owner-only.ts';
import { checkMark, getOwnMark } from './process-mark.ts';
import { diskFault } from './transcript-faults.ts';

/** One writer per transcript, among all processes. */
export interface TranscriptLocks {
  hold<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Whether somebody writes it right now. */
  isHeld(id: string): Promise<boolean>;
}

/** A write takes milliseconds, so whoever holds the lock longer hangs. */
const LOCK_WAIT_MS = 10_000;
const MAX_PAUSE_MS = 12;
/** Where nobody can say whether the holder lives, this long a silence says that it does not. */
const UNSURE_MS = 60_000;

/**
 * Whoever wants to write leaves a file with a name of its own, then looks whether there is another one: of two that
 * come at once at least one sees the other and steps back. No file is ever taken over, so that clearing away what a
 * killed process left can't hit the lock of a living one. Without a database, which costs more to load than a
 * transcript costs to write.
 */
export function createTranscriptLocks(directory: string, clock: Clock): TranscriptLocks {
  const folder = join(directory, '.locks');
  const turns = new Map<string, Promise<unknown>>();

  async function acquire(id: string): Promise<string> {
    const deadlineMs = clock.nowMs() + LOCK_WAIT_MS;
    for (;;) {
      const mark = await tryAcquire(folder, id);
      if (mark !== undefined) return mark;
      if (clock.nowMs() >= deadlineMs) throw busy(id, folder);
      await clock.sleep(1 + Math.random() * MAX_PAUSE_MS);
    }
  }

  return {
    hold(id, work) {
      const before = turns.get(id) ?? Promise.resolve();
      const turn = before.then(async () => {
        const mark = await acquire(id);
        try {
          return await work();
        } finally {
          await clear(mark);
        }
      });
      const settled = turn
        .catch(() => {})
        .then(() => {
          if (turns.get(id) === settled) turns.delete(id);
        });
      turns.set(id, settled);
      return turn;
    },
    isHeld: async (id) => (await findOther(folder, id, undefined)) !== undefined,
  };
}

async function tryAcquire(folder: string, id: string): Promise<string | undefined> {
  if ((await findOther(folder, id, undefined)) !== undefined) return undefined;
  const name = createName(id);
  const path = join(folder, name);
  try {
    await makeDirectory(folder);
    await (await open(path, 'wx', FILE_MODE)).close();
  } catch (cause) {
    throw diskFault('lock', folder, cause);
  }
  try {
    if ((await findOther(folder, id, name)) === undefined) return path;
  } catch (error) {
    await clear(path);
    throw error;
  }
  await clear(path);
  return undefined;
}

function createName(id: string): string {
  const { host, pid, start } = getOwnMark();
  return `${id}.${host}.${pid}.${start}.${Math.random().toString(36).slice(2, 12)}`;
}

const NAME = /^(.+)\.([0-9a-f]{16})\.(\d{1,10})\.(\d{1,20})\.[0-9a-z]+$/;

/** Another holder that lives, or one that comes at the same time. Clears away what dead ones left. */
async function findOther(
  folder: string,
  id: string,
  own: string | undefined,
): Promise<string | undefined> {
  for (const name of await listNames(folder)) {
    const [, held, host = '', pid = '', start = ''] = NAME.exec(name) ?? [];
    if (held !== id || name === own) continue;
    const path = join(folder, name);
    const state = checkMark({ host, pid: Number(pid), start });
    if (state === 'alive' || (state === 'unsure' && (await isFresh(path)))) return name;
    await clear(path);
  }
  return undefined;
}

/** What can't be removed does no harm once its process is dead, and whatever was written stays written. */
async function clear(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {});
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return [];
    throw diskFault('readdir', folder, cause);
  }
}

async function isFresh(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs < UNSURE_MS;
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return false;
    throw diskFault('stat', path, cause);
  }
}

function busy(id: string, folder: string): RuntimeError {
  return new RuntimeError(
    'storage_unavailable',
    `session '${id}' is being written by another process`,
    {
      details: { operation: 'lock', target: folder, hint: 'try again in a moment' },
    },
  );
}
