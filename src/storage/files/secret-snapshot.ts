import { readFile, stat } from 'node:fs/promises';
import type { RuntimeError } from '../../core/errors.ts';
import type { MasterKey } from './secret-cipher.ts';
import { isMissing, toDiskFault } from './secret-disk.ts';
import {
  decodeSecretDocument,
  NO_ENTRIES,
  type SecretDocument,
  type SecretEntries,
} from './secret-document.ts';
import { damagedSecrets, missingKey, unreadableLegacy, wrongKey } from './secret-faults.ts';
import type { SecretKeys } from './secret-keys.ts';

/** What the file held at one moment. */
export interface SecretSnapshot {
  /** Another one than before: the file was replaced. */
  readonly mark: string;
  readonly entries: SecretEntries;
  /** That the entries are encrypted with; undefined while there are none. */
  readonly key: MasterKey | undefined;
}

export const MAX_SECRET_FILE_BYTES = 16 * 1024 * 1024;

/** A rotation between two looks at file and key costs one more attempt each. */
const MAX_ATTEMPTS = 5;

const ABSENT = 'absent';

/** Reads file and key as they belong together. Throws, and changes nothing, when they do not. */
export async function readSnapshot(file: string, keys: SecretKeys): Promise<SecretSnapshot> {
  for (let attempt = 1; ; attempt += 1) {
    const mark = await readMark(file);
    if (mark === ABSENT) return { mark, entries: NO_ENTRIES, key: undefined };
    const document = await readDocument(file);
    const opened = await openDocument(file, document, keys);
    if ('entries' in opened) return { mark, ...opened };
    if (attempt >= MAX_ATTEMPTS || (await readMark(file)) === mark) throw opened.fault;
  }
}

export async function readMark(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
    if (size > MAX_SECRET_FILE_BYTES) throw damagedSecrets(file);
    return [ino, size, mtimeNs, ctimeNs].join(':');
  } catch (cause) {
    if (isMissing(cause)) return ABSENT;
    throw toDiskFault('read', file, cause);
  }
}

async function readDocument(file: string): Promise<SecretDocument> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw toDiskFault('read', file, cause);
  });
  const document = decodeSecretDocument(text);
  if (document === undefined) throw damagedSecrets(file);
  return document;
}

type Opened =
  | { readonly entries: SecretEntries; readonly key: MasterKey | undefined }
  | { readonly fault: RuntimeError };

async function openDocument(
  file: string,
  document: SecretDocument,
  keys: SecretKeys,
): Promise<Opened> {
  const { keyId } = document;
  const key = keyId === undefined ? await keys.find() : await keys.findById(keyId);
  if (key === undefined) {
    // Nothing is lost with a key that protects nothing.
    if (document.isEmpty) return { entries: NO_ENTRIES, key: undefined };
    const present = await keys.find();
    if (present === undefined || keyId === undefined)
      return { fault: missingKey(file, keys.place) };
    return { fault: await wrongKey(file, keyId, keys) };
  }
  const entries = document.decrypt(key);
  if (entries !== undefined) return { entries, key };
  return {
    fault: keyId === undefined ? unreadableLegacy(file, keys.place) : damagedSecrets(file),
  };
}
