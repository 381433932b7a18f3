import { lstat, readFile } from 'node:fs/promises';
import { errnoOf } from '../platform/errno-of.ts';
import { toBytes, toDiskPath, toText } from './disk-path.ts';

/** A section of a repository's configuration that may name a program. */
interface GitDriver {
  readonly kind: string;
  readonly name: string;
  /** Which settings its file mentions, anywhere. */
  readonly keys: ReadonlySet<string>;
}

export interface GitDrivers {
  readonly found: readonly GitDriver[];
  readonly hasExternalDiff: boolean;
  /** Why nobody can say what a repository's configuration would run. */
  readonly unclear: string | undefined;
}

const MAX_CONFIG_BYTES = 1024 ** 2;
const MAX_FILES = 2_000;
const MAX_DRIVERS = 500;
const CONFIG_NAMES = ['config', 'config.worktree'];

/** Sections anywhere in the text: git allows several on a line, and one too many does no harm here. */
const SECTION = /\[([A-Za-z0-9.-]+)(?:[ \t\r]+"((?:[^"\\\n]|\\.)*)")?\]/g;
const KEYS = [
  ...['clean', 'smudge', 'process', 'required', 'command', 'textconv', 'driver', 'cmd', 'enabled'],
  'update',
];

/** Reads the configuration of repositories as loosely as it can: what looks like a driver is taken for one. */
export async function findGitDrivers(repositories: readonly string[]): Promise<GitDrivers> {
  const files = new Set<string>();
  const unclear: string[] = [];
  for (const repository of repositories) {
    await collectConfigFiles(repository, { files, unclear });
    if (files.size > MAX_FILES) break;
  }
  if (files.size > MAX_FILES) unclear.push(`there are more than ${MAX_FILES} configurations`);
  const found: GitDriver[] = [];
  let hasExternalDiff = false;
  for (const file of files) {
    const text = await readConfig(file);
    if (text === undefined) unclear.push(`${toText(file)} can't be read as a configuration`);
    else {
      const read = readDrivers(text);
      found.push(...read.found);
      hasExternalDiff ||= read.hasExternalDiff;
      if (read.unclear) unclear.push(`${toText(file)} has a section ${read.unclear}`);
    }
  }
  if (found.length > MAX_DRIVERS) unclear.push(`it has more than ${MAX_DRIVERS} drivers`);
  return { found: found.slice(0, MAX_DRIVERS), hasExternalDiff, unclear: unclear[0] };
}

interface Collection {
  readonly files: Set<string>;
  readonly unclear: string[];
}

/** The configurations that git would read for a repository. Those inside it, of submodules, are in the survey too. */
async function collectConfigFiles(path: string, collection: Collection): Promise<void> {
  const found = await lstat(toDiskPath(path)).catch(() => undefined);
  if (found?.isSymbolicLink()) collection.unclear.push(`${toText(path)} is a link`);
  const folder = found?.isFile()
    ? await readPointer(path, /^gitdir: ([^\n]*)/)
    : found?.isDirectory()
      ? path
      : undefined;
  if (folder === undefined) return;
  const common = await readPointer(`${folder}/commondir`, /^([^\n]*)/);
  for (const place of [folder, common]) {
    if (place === undefined) continue;
    for (const name of CONFIG_NAMES) collection.files.add(`${place}/${name}`);
  }
}

/** A file may say that the repository, or a part of it, is elsewhere. */
async function readPointer(file: string, pattern: RegExp): Promise<string | undefined> {
  const target = pattern.exec((await readConfig(file)) ?? '')?.[1]?.trimEnd();
  if (target === undefined || target === '') return undefined;
  return target.startsWith('/') ? target : `${file.slice(0, file.lastIndexOf('/'))}/${target}`;
}

/** In bytes; undefined for what is no plain file of a sane size. */
async function readConfig(file: string): Promise<string | undefined> {
  try {
    const found = await lstat(toDiskPath(file));
    if (!found.isFile() || found.size > MAX_CONFIG_BYTES) return undefined;
    return await readFile(toDiskPath(file), 'latin1');
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? '' : undefined;
  }
}

function readDrivers(text: string): GitDrivers {
  // A line that goes on could hide a name; git joins lines within values only, so joining all finds more, not less.
  const plain = text.replace(/\\\r?\n/g, '').toLowerCase();
  const keys = new Set(KEYS.filter((key) => plain.includes(key)));
  const found: GitDriver[] = [];
  let unclear: string | undefined = plain.includes('recentobjectshook') ? 'gc' : undefined;
  for (const [, section = '', quoted] of text.matchAll(SECTION)) {
    // The old form holds the name in the section itself.
    const [kind = '', ...rest] = section.toLowerCase().split('.');
    if (kind === 'include' || kind === 'includeif') unclear = kind;
    const name = [...rest, ...(quoted === undefined ? [] : [unescapeName(quoted)])].join('.');
    if (name !== '') found.push({ kind, name: toText(name), keys });
    if (name !== toBytes(toText(name))) unclear = `${kind} whose name is not UTF-8`;
  }
  const hasExternalDiff = plain.includes('external');
  return { found, hasExternalDiff, unclear };
}

function unescapeName(quoted: string): string {
  return quoted.replace(/\\(.)/g, '$1');
}
