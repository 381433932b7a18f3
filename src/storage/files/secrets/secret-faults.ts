import { RuntimeError } from '../../../core/errors.ts';
import type { SecretPlace } from '../../../core/secrets/secret-place.ts';
import { MASTER_KEY_VARIABLE, type SecretKeys } from './secret-keys.ts';

/** Every one of these leaves the document as it is. */

type Place = Pick<SecretPlace, 'name' | 'isShared'>;

export function damagedSecrets({ name: file }: Place): RuntimeError {
  const fix = 'restore it from a backup, or move it away and store the secrets again';
  return new RuntimeError(
    'storage_unavailable',
    `the secrets in ${file} are damaged: they were cut off or altered; to fix: ${fix}`,
    { retryable: false, details: { file, fix } },
  );
}

/** The shape of before does not tell a wrong key from damage. */
export function unreadableLegacy({ name: file }: Place, place: string): RuntimeError {
  const fix = `put the key that ${file} was written with into ${place}, or restore the file from a backup`;
  return new RuntimeError(
    'config_invalid',
    `the master key in ${place} does not open ${file}, or the file is damaged; to fix: ${fix}`,
    { details: { file, fix } },
  );
}

export function missingKey({ name: file, isShared }: Place, keyFile: string): RuntimeError {
  const fix = isShared
    ? `copy the master key of a node that has it to ${keyFile}, or set ${MASTER_KEY_VARIABLE} to it`
    : `restore ${keyFile}, set ${MASTER_KEY_VARIABLE}, or move ${file} away and store the secrets again`;
  return new RuntimeError(
    'config_invalid',
    `${file} holds secrets, but their master key ${keyFile} is missing; to fix: ${fix}`,
    { details: { file, fix } },
  );
}

export async function wrongKey(
  { name: file }: Place,
  keyId: string,
  keys: SecretKeys,
): Promise<RuntimeError> {
  const isFilesOwn = keys.from === 'environment' && (await keys.isInFile(keyId));
  const fix = isFilesOwn
    ? `unset ${MASTER_KEY_VARIABLE}: the key file opens it`
    : `put the key that ${file} was written with into ${keys.place}`;
  return new RuntimeError(
    'config_invalid',
    `the master key in ${keys.place} is not the one that ${file} was written with; to fix: ${fix}`,
    { details: { file, fix } },
  );
}

export function busySecrets({ name: file }: Place): RuntimeError {
  return new RuntimeError('storage_unavailable', `another process is writing ${file}`, {
    details: { file },
  });
}

export function noRoom(bound: string): RuntimeError {
  return new RuntimeError('conflict', `the secret store is full: it holds at most ${bound}`);
}
