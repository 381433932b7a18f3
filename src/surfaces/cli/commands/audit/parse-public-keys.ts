import { readFile } from 'node:fs/promises';
import { findPublicKey } from '../../../../core/secrets/signing-key.ts';
import { parseError } from '../../program/errors.ts';

const PUBLIC_KEY = /(?<![\w+/])[A-Za-z0-9+/]{43}=/;
const MAX_FILE_CHARS = 4_096;

/** Each is a key as `claw audit key` prints it, or a file that holds one. Undefined when none is given. */
export async function parsePublicKeys(
  given: readonly string[],
): Promise<readonly string[] | undefined> {
  if (given.length === 0) return undefined;
  return Promise.all(given.map(parsePublicKey));
}

async function parsePublicKey(given: string): Promise<string> {
  const text = findPublicKey(given) ? given : await readFile(given, 'utf8').catch(() => '');
  const key = PUBLIC_KEY.exec(text.slice(0, MAX_FILE_CHARS))?.[0];
  if (key !== undefined && findPublicKey(key)) return key;
  throw parseError(
    `${JSON.stringify(given.slice(0, 140))} is neither a public key nor a file with one`,
    {
      target: 'audit verify',
      hint: 'claw audit key, on the node that wrote the files, prints it',
    },
  );
}
