import { dirname } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import type { SecretPlace } from '../../../core/secrets/secret-place.ts';
import { makeDirectory } from '../../../platform/owner-only.ts';
import type { MasterKey } from './secret-cipher.ts';
import { toDiskFault } from './secret-disk.ts';
import { encodeSecretDocument, type SecretEntries } from './secret-document.ts';
import { busySecrets, noRoom } from './secret-faults.ts';
import type { SecretKeys } from './secret-keys.ts';
import { MAX_SECRET_BYTES, type SecretSnapshot } from './secret-snapshot.ts';
import type { SecretState } from './secret-state.ts';

export interface SecretWriter {
  /**
   * Alone in this process and on this state root, with what is stored at that moment, and once more when another node
   * wrote meanwhile: nobody's write gets lost.
   */
  change<T>(work: (snapshot: SecretSnapshot) => Promise<T>): Promise<T>;
  /** In the place of what the snapshot holds. */
  write(snapshot: SecretSnapshot, entries: SecretEntries, key: MasterKey): Promise<void>;
  /** The key to write with. Made when there is none; one that a cut-off rotation left staged takes its place. */
  settleKey(snapshot: SecretSnapshot): Promise<MasterKey>;
}

export interface SecretWriterDeps {
  readonly place: SecretPlace;
  readonly masterKeyFile: string;
  readonly keys: SecretKeys;
  readonly state: SecretState;
  /** Between processes; undefined while another one holds it. */
  readonly tryLock: () => { close(): void } | undefined;
  readonly clock: Clock;
}

/** A write takes milliseconds, so whoever holds the lock longer hangs. */
const LOCK_WAIT_MS = 10_000;
const LOCK_POLL_MS = 20;
/** As many nodes would have to store a secret within the same milliseconds, each ahead of us. */
const MAX_OVERTAKEN = 20;

/** Another node wrote between our look and our write. */
class Overtaken extends Error {}

export function createSecretWriter(deps: SecretWriterDeps): SecretWriter {
  const { place, keys, state } = deps;
  let turn: Promise<unknown> = Promise.resolve();

  async function takeTurn<T>(work: (snapshot: SecretSnapshot) => Promise<T>): Promise<T> {
    const folder = dirname(deps.masterKeyFile);
    await makeDirectory(folder).catch((cause: unknown) => {
      throw toDiskFault('create', folder, cause);
    });
    const lock = await awaitSecretLock(deps);
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work(await state.refresh());
        } catch (thrown) {
          if (!(thrown instanceof Overtaken)) throw thrown;
          if (attempt >= MAX_OVERTAKEN) throw busySecrets(place);
        }
      }
    } finally {
      lock.close();
    }
  }

  return {
    change(work) {
      const result = turn.then(() => takeTurn(work));
      turn = result.catch(() => {});
      return result;
    },

    async write({ mark }, entries, key) {
      const text = encodeSecretDocument(entries, key);
      if (Buffer.byteLength(text) > MAX_SECRET_BYTES) throw noRoom(`${MAX_SECRET_BYTES} bytes`);
      const written = await place.replace(text, mark);
      if (written === undefined) throw new Overtaken();
      state.adopt({ mark: written, entries, key });
    },

    async settleKey({ key }) {
      const present = await keys.find();
      if (key === undefined) return present ?? keys.create();
      if (present?.id !== key.id) await keys.promote();
      return key;
    },
  };
}

/** Nobody writes a key or a secret of this state root until it is closed. Throws when somebody else has it for too long. */
export async function awaitSecretLock({
  tryLock,
  clock,
  place,
}: Pick<SecretWriterDeps, 'tryLock' | 'clock' | 'place'>): Promise<{ close(): void }> {
  const deadlineMs = clock.nowMs() + LOCK_WAIT_MS;
  for (;;) {
    const lock = tryLock();
    if (lock !== undefined) return lock;
    if (clock.nowMs() >= deadlineMs) throw busySecrets(place);
    await clock.sleep(LOCK_POLL_MS);
  }
}
