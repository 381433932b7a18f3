import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import { parseScript, type Script } from './script.ts';

/** Reads a script file, relative to `rootDir` unless its path is absolute. */
export async function loadScript(path: string, rootDir: string): Promise<Script> {
  const file = resolve(rootDir, path);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new RuntimeError('provider_misconfigured', `cannot read the script ${file}`, { cause });
  }
  return parseScript(value, file);
}
