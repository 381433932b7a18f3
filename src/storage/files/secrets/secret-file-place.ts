import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SecretPlace } from '../../../core/secrets/secret-place.ts';
import { isMissing } from '../../../platform/errno-of.ts';
import { makeDirectory } from '../../../platform/owner-only.ts';
import { followLinks, replacePrivateFile, toDiskFault } from './secret-disk.ts';
import { damagedSecrets } from './secret-faults.ts';
import { MAX_SECRET_BYTES } from './secret-snapshot.ts';

const ABSENT = 'absent';

/** A file of the state root. Whoever writes holds a lock, so that nobody can have replaced it in between. */
export function createSecretFilePlace(file: string): SecretPlace {
  const names = { name: file, isShared: false };

  /** As it was found a moment ago, before anything else could get in. */
  let found: string | undefined;

  function forget(): void {
    found = undefined;
  }

  /**
   * Asked before and after every step of every run. What goes on at once, as all runs that one commit or one answer lets go
   * on, shares what one of them found. Not the whole turn of the event loop: another answer of the same turn, or a tool that
   * looks at the disk on the spot, may already bring in what another process stored meanwhile.
   */
  async function readMark(): Promise<string> {
    if (found !== undefined) return found;
    found = lookAtFile();
    queueMicrotask(forget);
    return found;
  }

  function lookAtFile(): string {
    try {
      // On the disk that holds the database, it takes a tenth of the time, and of the processor, that a thread of the pool
      // would take to be woken for it.
      const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return ABSENT;
      const { ino, size, mtimeNs, ctimeNs } = stats;
      if (size > MAX_SECRET_BYTES) throw damagedSecrets(names);
      return [ino, size, mtimeNs, ctimeNs].join(':');
    } catch (cause) {
      if (isMissing(cause)) return ABSENT;
      throw toDiskFault('read', file, cause);
    }
  }

  return {
    ...names,
    readMark,

    async read() {
      forget();
      const mark = await readMark();
      if (mark === ABSENT) return { mark, text: undefined };
      const text = await readFile(file, 'utf8').catch((cause: unknown) => {
        throw toDiskFault('read', file, cause);
      });
      return { mark, text };
    },

    async replace(text) {
      const target = await followLinks(file);
      await makeDirectory(dirname(target)).catch((cause: unknown) => {
        throw toDiskFault('create', dirname(target), cause);
      });
      await replacePrivateFile(target, text);
      forget();
      return readMark();
    },
  };
}
