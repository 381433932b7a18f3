import type { RuntimeError } from '../../../core/errors.ts';
import type { SecretPlace } from '../../../core/secrets/secret-place.ts';
import type { MasterKey } from './secret-cipher.ts';
import {
  decodeSecretDocument,
  NO_ENTRIES,
  type SecretDocument,
  type SecretEntries,
} from './secret-document.ts';
import { damagedSecrets, missingKey, unreadableLegacy, wrongKey } from './secret-faults.ts';
import type { SecretKeys } from './secret-keys.ts';

/** What the place held at one moment. */
export interface SecretSnapshot {
  /** Another one than before: the document was replaced. */
  readonly mark: string;
  readonly entries: SecretEntries;
  /** That the entries are encrypted with; undefined while there are none. */
  readonly key: MasterKey | undefined;
}

export const MAX_SECRET_BYTES = 16 * 1024 * 1024;

/** A rotation between two looks at document and key costs one more attempt each. */
const MAX_ATTEMPTS = 5;

/** Reads document and key as they belong together. Throws, and changes nothing, when they do not. */
export async function readSnapshot(place: SecretPlace, keys: SecretKeys): Promise<SecretSnapshot> {
  for (let attempt = 1; ; attempt += 1) {
    const { mark, text } = await place.read();
    if (text === undefined) return { mark, entries: NO_ENTRIES, key: undefined };
    const document = decodeSecretDocument(text);
    if (document === undefined) throw damagedSecrets(place);
    const opened = await openDocument(place, document, keys);
    if ('entries' in opened) return { mark, ...opened };
    if (attempt >= MAX_ATTEMPTS || (await place.readMark()) === mark) throw opened.fault;
  }
}

type Opened =
  | { readonly entries: SecretEntries; readonly key: MasterKey | undefined }
  | { readonly fault: RuntimeError };

async function openDocument(
  place: SecretPlace,
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
      return { fault: missingKey(place, keys.place) };
    return { fault: await wrongKey(place, keyId, keys) };
  }
  const entries = document.decrypt(key);
  if (entries !== undefined) return { entries, key };
  return {
    fault: keyId === undefined ? unreadableLegacy(place, keys.place) : damagedSecrets(place),
  };
}
