import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RuntimeError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import { moveFile } from '../../../platform/durable-write.ts';
import { isMissing } from '../../../platform/errno-of.ts';
import { makeDirectory } from '../../../platform/owner-only.ts';
import {
  formatMasterKey,
  generateMasterKey,
  type MasterKey,
  parseMasterKey,
} from './secret-cipher.ts';
import { followLinks, replacePrivateFile, toDiskFault } from './secret-disk.ts';

export const MASTER_KEY_VARIABLE = 'OPENCLAWSSY_MASTER_KEY';

/** Where the key that encrypts the secrets comes from, and where the next one waits. */
export interface SecretKeys {
  readonly from: 'environment' | 'file';
  /** For messages: the file or the variable. */
  readonly place: string;
  /** The one to encrypt with; undefined while there is none. */
  find(): Promise<MasterKey | undefined>;
  /** The one with this id, also when a rotation was cut off before it took its place. */
  findById(id: string): Promise<MasterKey | undefined>;
  /** Whether the key file has that key although another one is in use. */
  isInFile(id: string): Promise<boolean>;
  create(): Promise<MasterKey>;
  /** Keeps a key beside the present one, so that a crash leaves both. */
  stage(key: MasterKey): Promise<void>;
  /** Puts the staged key in the place of the present one. */
  promote(): Promise<void>;
  /** From now on this one is used, when keys are handed in. */
  adopt(key: MasterKey): void;
}

export interface SecretKeysOptions {
  readonly file: string;
  /** Handed in by the operator; the file is not looked at then. */
  readonly masterKey: string | undefined;
  readonly logger: Logger;
}

const LOOSE_BITS = 0o077;

export function createSecretKeys({ file, masterKey, logger }: SecretKeysOptions): SecretKeys {
  // Looked up each time: a link may be pointed elsewhere while a server runs.
  const findPlaces = async () => {
    const present = await followLinks(file);
    return { present, staged: `${present}.next` };
  };
  let given = masterKey === undefined ? undefined : requireKey(masterKey, MASTER_KEY_VARIABLE);
  let hasWarned = false;

  async function read(path: string): Promise<MasterKey | undefined> {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
      if (!hasWarned && (await isLoose(path))) {
        hasWarned = true;
        logger.warn({ file: path }, `${path} is open to other users: chmod 600 ${path}`);
      }
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw toDiskFault('read', path, cause);
    }
    return requireKey(text, path);
  }

  return {
    from: given === undefined ? 'file' : 'environment',
    place: given === undefined ? file : MASTER_KEY_VARIABLE,

    find: async () => given ?? read(file),

    async findById(id) {
      if (given !== undefined) return given.id === id ? given : undefined;
      // The staged one first: in the moment between two looks it may move to the place looked at second.
      const { staged, present } = await findPlaces();
      for (const path of [staged, present]) {
        const key = await read(path);
        if (key?.id === id) return key;
      }
      return undefined;
    },

    async isInFile(id) {
      const key = await read(file).catch(() => undefined);
      return key?.id === id;
    },

    async create() {
      const key = generateMasterKey();
      const { present } = await findPlaces();
      await makeDirectory(dirname(present));
      await replacePrivateFile(present, `${formatMasterKey(key)}\n`);
      return key;
    },

    async stage(key) {
      const { staged } = await findPlaces();
      await replacePrivateFile(staged, `${formatMasterKey(key)}\n`);
    },

    async promote() {
      const { staged, present } = await findPlaces();
      try {
        await moveFile(staged, present);
      } catch (cause) {
        throw toDiskFault('write', file, cause);
      }
    },

    adopt(key) {
      if (given !== undefined) given = key;
    },
  };
}

async function isLoose(path: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & LOOSE_BITS) !== 0;
}

function requireKey(text: string, place: string): MasterKey {
  const key = parseMasterKey(text);
  if (key !== undefined) return key;
  const fix = `put the right key there; a new one comes from: openssl rand -base64 32`;
  throw new RuntimeError(
    'config_invalid',
    `${place} is not a master key of exactly 32 bytes in base64 or hex; to fix: ${fix}`,
    { details: { target: place, fix } },
  );
}
