import { isUtf8 } from 'node:buffer';
import { lstat, opendir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { MAX_RELEASE_BYTES } from '../../core/skills/parse-release.ts';
import { SKILL_FILE } from '../../core/skills/skill-file-name.ts';
import {
  MAX_FILES_PER_DIRECTORY,
  SKILL_DIRECTORIES,
  type SkillFile,
} from '../../core/skills/skill-files.ts';
import { EXPORT_FILE, type SkillFolder } from '../../core/skills/skill-folder.ts';
import { errnoOf, isMissing } from '../../platform/errno-of.ts';

const MAX_DEPTH = 8;
const MAX_ENTRIES = 1_000;
/** A release and the spec it was made from. */
const MAX_EXPORT_BYTES = 3 * MAX_RELEASE_BYTES;

/** Reads a folder in the Agent Skills format. Links are refused: what they lead to is not part of the folder. */
export async function readSkillFolder(path: string): Promise<SkillFolder> {
  const root = await findFolder(path);
  const walk = new FolderWalk(root);
  await walk.look('', 0);
  const { files, leftOut } = walk;
  return { files, leftOut, exported: await readExport(root) };
}

async function findFolder(path: string): Promise<string> {
  try {
    const root = await realpath(path);
    if ((await lstat(root)).isDirectory()) return root;
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new RuntimeError('not_found', `folder ${path} does not exist`, {
      details: { thing: 'folder', name: path },
    });
  }
  throw new RuntimeError('invalid_input', `${path} is not a folder`, { details: { target: path } });
}

class FolderWalk {
  readonly files: SkillFile[] = [];
  readonly leftOut: string[] = [];
  readonly #root: string;
  #entries = 0;
  /** Of all files together: a release that holds them is no larger. */
  #bytesLeft = MAX_RELEASE_BYTES;

  constructor(root: string) {
    this.#root = root;
  }

  async look(directory: string, depth: number): Promise<void> {
    const names: { readonly path: string; readonly isDirectory: boolean }[] = [];
    for await (const entry of await opendir(join(this.#root, directory))) {
      this.#entries += 1;
      if (this.#entries > MAX_ENTRIES) throw refusal('.', `holds more than ${MAX_ENTRIES} entries`);
      if (entry.name.startsWith('.')) continue;
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory()) names.push({ path, isDirectory: true });
      else if (entry.isFile()) names.push({ path, isDirectory: false });
      else throw refusal(path, 'is neither a file nor a folder');
    }
    for (const { path, isDirectory } of names.sort((a, b) => (a.path < b.path ? -1 : 1))) {
      if (!isPart(path)) {
        if (path !== EXPORT_FILE) this.leftOut.push(path);
      } else if (!isDirectory) this.files.push(await this.#read(path));
      else if (depth >= MAX_DEPTH) throw refusal(path, `lies deeper than ${MAX_DEPTH} folders`);
      else await this.look(path, depth + 1);
    }
    if (this.files.length > SKILL_DIRECTORIES.length * MAX_FILES_PER_DIRECTORY + 1) {
      throw refusal('.', `holds more than ${MAX_FILES_PER_DIRECTORY} files in a folder`);
    }
  }

  async #read(path: string): Promise<SkillFile> {
    const bytes = await readBounded(this.#root, path, MAX_RELEASE_BYTES);
    this.#bytesLeft -= bytes.length;
    if (this.#bytesLeft < 0) throw refusal('.', `holds more than ${MAX_RELEASE_BYTES} bytes`);
    return toSkillFile(path, bytes);
  }
}

function isPart(path: string): boolean {
  const [first = ''] = path.split('/');
  return path === SKILL_FILE || SKILL_DIRECTORIES.some((name) => name === first);
}

/** How long a single file may be is said where specs are: that counts characters. */
function toSkillFile(path: string, bytes: Buffer): SkillFile {
  const text = bytes.toString('utf8');
  return isUtf8(bytes) && !text.includes('\0')
    ? { path, content: text }
    : { path, content: bytes.toString('base64'), encoding: 'base64' };
}

async function readExport(root: string): Promise<JsonObject | undefined> {
  try {
    const bytes = await readBounded(root, EXPORT_FILE, MAX_EXPORT_BYTES);
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (isJsonObject(value)) return value;
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return undefined;
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw refusal(EXPORT_FILE, 'is not a JSON object');
}

async function readBounded(root: string, path: string, maxBytes: number): Promise<Buffer> {
  const file = join(root, path);
  const stats = await lstat(file);
  if (!stats.isFile()) throw refusal(path, 'is not a regular file');
  if (stats.size > maxBytes) throw refusal(path, `is larger than ${maxBytes} bytes`);
  return readFile(file);
}

function refusal(path: string, reason: string): RuntimeError {
  return new RuntimeError('unprocessable', `${path} ${reason}`, { details: { path } });
}
