import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { RuntimeError } from '../../core/errors.ts';
import { isMissing } from '../../platform/errno-of.ts';
import { createStateFile } from './state-file.ts';
import { toStatePaths } from './state-paths.ts';
import { toStorageFault } from './storage-fault.ts';

const SECRET_BYTES = 32;
const SECRET_PATTERN = /^[\x21-\x7e]{1,4096}$/;

/** The bearer token that was generated on first start; undefined before that. */
export function readToken(root: string): Promise<string | undefined> {
  return readSecretFile(toStatePaths(root).tokenFile);
}

export async function readSecretFile(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw toStorageFault('read', path, cause);
  }
  if (SECRET_PATTERN.test(text)) return text;
  const fix = 'delete it, and the next start makes a new one';
  throw new RuntimeError(
    'config_invalid',
    `${path} does not hold a secret in one line of printable ASCII; to fix: ${fix}`,
    {
      details: { file: path, fix },
    },
  );
}

/** True when this call made it. Processes that race for it end up with the same one. */
export function createSecretFile(path: string): Promise<boolean> {
  return createStateFile(path, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
}
