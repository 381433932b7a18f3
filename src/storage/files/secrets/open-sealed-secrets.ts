import type { Clock } from '../../../core/clock.ts';
import { RuntimeError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import { parseSecretName, parseSecretValue } from '../../../core/secrets/parse-secret.ts';
import type { SecretPlace } from '../../../core/secrets/secret-place.ts';
import { MAX_SECRETS, type SecretRotation, type Secrets } from '../../../core/secrets/secrets.ts';
import { generateMasterKey, type MasterKey, parseMasterKey } from './secret-cipher.ts';
import { byName } from './secret-document.ts';
import { noRoom } from './secret-faults.ts';
import { createSecretKeys, MASTER_KEY_VARIABLE, type SecretKeys } from './secret-keys.ts';
import type { SecretSnapshot } from './secret-snapshot.ts';
import { openSecretState } from './secret-state.ts';
import { createSecretWriter, type SecretWriter } from './secret-writer.ts';

/** Between two of these a crash must leave everything readable. */
type SecretStep = 'key_staged' | 'values_written' | 'key_promoted';

export interface SealedSecretsOptions {
  readonly place: SecretPlace;
  /** Made when the first secret is stored, unless a key is handed in. */
  readonly masterKeyFile: string;
  /** From the environment: 32 bytes in base64 or hex. Wins over the file. */
  readonly masterKey?: string | undefined;
  /** Between processes; undefined while another one holds it. */
  readonly tryLock: () => { close(): void } | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Hears of each step of a rotation: tests end the process there. */
  readonly onStep?: (step: SecretStep) => void;
}

export interface SealedSecrets extends Secrets {
  readonly masterKeyFrom: SecretKeys['from'];
}

/** Sealed with a master key of the state root. Throws when there are some that can't be read; changes nothing then. */
export async function openSealedSecrets(options: SealedSecretsOptions): Promise<SealedSecrets> {
  const { place, masterKeyFile, masterKey, clock, logger, onStep = () => {} } = options;
  const keys = createSecretKeys({ file: masterKeyFile, masterKey, logger });
  const state = await openSecretState(place, keys);
  const writer = createSecretWriter({ ...options, keys, state });

  return {
    masterKeyFrom: keys.from,

    async list() {
      const { entries } = await state.look();
      const sorted = [...entries].sort(byName);
      return sorted.map(([name, { updatedAtMs }]) => ({ name, updatedAtMs }));
    },

    find: async (name) => (await state.look()).entries.get(name)?.value,

    async put(name, value) {
      parseSecretName(name);
      parseSecretValue(value);
      await writer.change(async (snapshot) => {
        const { entries } = snapshot;
        if (!entries.has(name) && entries.size >= MAX_SECRETS) {
          throw noRoom(`${MAX_SECRETS} secrets`);
        }
        const key = await writer.settleKey(snapshot);
        const changed = new Map(entries).set(name, { value, updatedAtMs: clock.nowMs() });
        await writer.write(snapshot, changed, key);
      });
    },

    async remove(name) {
      // Without one there is nothing to change, and nothing to create for it.
      if (!(await state.look()).entries.has(name)) return false;
      return writer.change(async (snapshot) => {
        const entries = new Map(snapshot.entries);
        if (!entries.delete(name)) return false;
        await writer.write(snapshot, entries, await writer.settleKey(snapshot));
        return true;
      });
    },

    async rotate(rotation = {}) {
      const next = parseRotation(rotation, keys);
      const { entries } = await state.look();
      if (entries.size === 0 && (await keys.find()) === undefined) return 0;
      return writer.change((snapshot) => moveTo(next, snapshot, { keys, writer, onStep }));
    },

    refresh: createRefresh(() => state.look()),
    values: () => state.values(),
  };
}

/** Whoever asks while a look is under way waits for the next one: that one may have begun too early for him. */
function createRefresh(look: () => Promise<unknown>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    const looking = look().then(() => {});
    current = looking;
    const done = () => {
      if (current === looking) current = undefined;
    };
    looking.then(done, done);
    return looking;
  };
  return () => {
    if (current === undefined) return begin();
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}

interface Move {
  readonly keys: SecretKeys;
  readonly writer: SecretWriter;
  readonly onStep: (step: SecretStep) => void;
}

/**
 * The new key is on the disk before anything needs it, and takes the old one's place after nothing does any more.
 * Whoever reads in between finds the key by the id in the file.
 */
async function moveTo(next: MasterKey, snapshot: SecretSnapshot, move: Move): Promise<number> {
  const { keys, writer, onStep } = move;
  const present = await writer.settleKey(snapshot);
  if (present.id === next.id) throw invalidKey('is the one in use');
  if (keys.from === 'file') await keys.stage(next);
  onStep('key_staged');
  await writer.write(snapshot, snapshot.entries, next);
  keys.adopt(next);
  onStep('values_written');
  if (keys.from === 'file') await keys.promote();
  onStep('key_promoted');
  return snapshot.entries.size;
}

function parseRotation({ newKey }: SecretRotation, keys: SecretKeys): MasterKey {
  if (newKey === undefined && keys.from === 'file') return generateMasterKey();
  if (newKey === undefined) {
    throw invalidKey(`must be given, because the present one comes from ${MASTER_KEY_VARIABLE}`);
  }
  const key = parseMasterKey(newKey);
  if (key === undefined) throw invalidKey('must be exactly 32 bytes in base64 or hex');
  return key;
}

function invalidKey(problem: string): RuntimeError {
  return new RuntimeError('invalid_input', `the new master key ${problem}`, {
    details: { field: 'newKey', hint: 'openssl rand -base64 32 makes one' },
  });
}
