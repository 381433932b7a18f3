import { open } from 'node:fs/promises';
import { RuntimeError } from '../core/errors.ts';
import { errnoOf, isMissing } from '../platform/errno-of.ts';
import { replaceFile } from '../platform/replace-file.ts';
import { configInvalid, inFile, toProblems } from './config-problem.ts';
import { findJsonFault } from './find-json-fault.ts';
import { type ConfigInput, configSchema } from './schema/schema.ts';
import { replaceStateFile } from './state-root/state-file.ts';
import { toStatePaths } from './state-root/state-paths.ts';
import { toStorageFault } from './state-root/storage-fault.ts';
import { toReliabilityOverrides } from './to-reliability-overrides.ts';

export const MAX_CONFIG_BYTES = 1024 * 1024;
const PERMISSION_BITS = 0o777;

/** The file as it stands, checked; undefined when there is none. */
export async function readConfigFile(path: string): Promise<ConfigInput | undefined> {
  const text = await readText(path);
  return text === undefined ? undefined : checkConfig(parseJson(text, path), path);
}

/** Checks, keeps the previous version as `.bak`, and replaces the file in one step. Defaults are not written out. */
export async function writeConfigFile(root: string, config: unknown): Promise<void> {
  const { configFile, configBackupFile } = toStatePaths(root);
  const checked = checkConfig(config, configFile);
  await backUp(configFile, configBackupFile);
  await replaceStateFile(configFile, formatConfig(checked));
}

export function formatConfig(config: unknown): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}

function checkConfig(value: unknown, path: string): ConfigInput {
  // Compiled checks pay off with the second document, and a start reads one.
  const { success, error, data } = configSchema.safeParse(value, { jitless: true });
  if (!success) throw configInvalid(inFile(path), toProblems(error.issues, value));
  toReliabilityOverrides(data.tool_reliability.overrides, path);
  return value as ConfigInput;
}

async function readText(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size > MAX_CONFIG_BYTES) throw tooLarge(path, size);
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw toStorageFault('read', path, cause);
  }
}

function tooLarge(path: string, size: number): RuntimeError {
  const fix = 'this is hardly a config file; remove it';
  return new RuntimeError(
    'config_invalid',
    `config file ${path} has ${size} bytes, more than ${MAX_CONFIG_BYTES}; to fix: ${fix}`,
    { details: { file: path, fix } },
  );
}

function parseJson(text: string, path: string): unknown {
  // Some editors put a byte order mark in front, which is not JSON.
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json);
  } catch {
    const { line, column, problem } = findJsonFault(json);
    const fix = `correct the JSON there, or put ${path}.bak back if there is one`;
    throw new RuntimeError(
      'config_invalid',
      `config file ${path}, line ${line}, column ${column}: ${problem}; to fix: ${fix}`,
      { details: { file: path, line, column, fix } },
    );
  }
}

async function backUp(path: string, backupPath: string): Promise<void> {
  try {
    const file = await open(path, 'r');
    try {
      // The copy keeps the mode, so a private file has a private backup.
      const { mode } = await file.stat();
      await replaceFile(backupPath, await file.readFile(), { mode: mode & PERMISSION_BITS });
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw toStorageFault('back up', path, cause);
  }
}
