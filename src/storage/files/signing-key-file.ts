import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import type { SigningKey } from '../../core/secrets/signing-key.ts';
import { createFile } from '../../platform/create-file.ts';
import { isMissing } from '../../platform/errno-of.ts';
import { makeDirectory } from '../../platform/owner-only.ts';
import { toDiskFault } from './secrets/secret-disk.ts';

/** An ed25519 key that this installation signs with, as a PEM file for its owner alone. */
export interface SigningKeyFile {
  find(): Promise<SigningKey | undefined>;
  /** Makes it when there is none. Processes that race for it end up with the same one. */
  get(): Promise<SigningKey>;
}

/** The raw key at the end of its SubjectPublicKeyInfo. */
const PUBLIC_KEY_BYTES = 32;

export interface SigningKeyPlace {
  readonly file: string;
  /** What the key is missed for, said when the file holds something else. */
  readonly need: string;
}

export function createSigningKeyFile({ file, need }: SigningKeyPlace): SigningKeyFile {
  // A key is never replaced under a running program; an operator who does it restarts.
  let known: SigningKey | undefined;

  async function find(): Promise<SigningKey | undefined> {
    if (known) return known;
    let pem: string;
    try {
      pem = await readFile(file, 'utf8');
    } catch (cause) {
      if (isMissing(cause)) return undefined;
      throw toDiskFault('read', file, cause);
    }
    known = toSigningKey(parseKey(pem, { file, need }));
    return known;
  }

  return {
    find,
    async get() {
      const present = await find();
      if (present) return present;
      await createKey(file);
      const created = await find();
      if (created) return created;
      throw new RuntimeError('storage_unavailable', `${file} vanished right after it was made`);
    },
  };
}

/** With its content in one step: nobody ever reads half a key. */
async function createKey(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    await makeDirectory(dirname(file));
    await createFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  } catch (cause) {
    throw toDiskFault('create', file, cause);
  }
}

function parseKey(pem: string, { file, need }: SigningKeyPlace): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Said below: what the library says may quote the file.
  }
  const fix = `restore it from a backup; ${need}`;
  throw new RuntimeError(
    'config_invalid',
    `${file} is not a private ed25519 key in PEM; to fix: ${fix}`,
    { details: { file, fix } },
  );
}

function toSigningKey(key: KeyObject): SigningKey {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    publicKey: der.subarray(-PUBLIC_KEY_BYTES).toString('base64'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  };
}
