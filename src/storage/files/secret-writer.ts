import { dirname } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { makeDirectory } from './owner-only.ts';
import type { MasterKey } from './secret-cipher.ts';
import { followLinks, replacePrivateFile, toDiskFault } from './secret-disk.ts';
import { encodeSecretDocument, type SecretEntries } from './secret-document.ts';
import { busySecrets, noRoom } from './secret-faults.ts';
import type { SecretKeys } from './secret-keys.ts';
import { MAX_SECRET_FILE_BYTES, readMark, type SecretSnapshot } from './secret-snapshot.ts';
import type { SecretState } from './secret-state.ts';

export interface SecretWriter {
  /** Alone in this process and among all, with what the file holds at that moment: nobody's write gets lost. */
  change<T>(work: (snapshot: SecretSnapshot) => Promise<T>): Promise<T>;
  write(entries: SecretEntries, key: MasterKey): Promise<void>;
  /** The key to write with. Made when there is none; one that a cut-off rotation left staged takes its place. */
  settleKey(snapshot: SecretSnapshot): Promise<MasterKey>;
}

export interface SecretWriterDeps {
  readonly file: string;
  readonly keys: SecretKeys;
  readonly state: SecretState;
  /** Between processes; undefined while another one holds it. */
  readonly tryLock: () => { close(): void } | undefined;
  readonly clock: Clock;
}

/** A write takes milliseconds, so whoever holds the lock longer hangs. */
const LOCK_WAIT_MS = 10_000;
const LOCK_POLL_MS = 20;

export function createSecretWriter(deps: SecretWriterDeps): SecretWriter {
  const { file, keys, state } = deps;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    change(work) {
      const result = turn.then(async () => {
        await makeDirectory(dirname(file)).catch((cause: unknown) => {
          throw toDiskFault('create', dirname(file), cause);
        });
        const lock = await awaitLock(deps);
        try {
          return await work(await state.refresh());
        } finally {
          lock.close();
        }
      });
      turn = result.catch(() => {});
      return result;
    },

    async write(entries, key) {
      const text = encodeSecretDocument(entries, key);
      if (Buffer.byteLength(text) > MAX_SECRET_FILE_BYTES) {
        throw noRoom(`${MAX_SECRET_FILE_BYTES} bytes`);
      }
      await replacePrivateFile(await followLinks(file), text);
      state.adopt({ mark: await readMark(file), entries, key });
    },

    async settleKey({ key }) {
      const present = await keys.find();
      if (key === undefined) return present ?? keys.create();
      if (present?.id !== key.id) await keys.promote();
      return key;
    },
  };
}

async function awaitLock({ tryLock, clock, file }: SecretWriterDeps): Promise<{ close(): void }> {
  const deadlineMs = clock.nowMs() + LOCK_WAIT_MS;
  for (;;) {
    const lock = tryLock();
    if (lock !== undefined) return lock;
    if (clock.nowMs() >= deadlineMs) throw busySecrets(file);
    await clock.sleep(LOCK_POLL_MS);
  }
}
