import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { FoundDefinition } from '../../core/agents/agent-files.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { readOwnFile, statOwnFile } from './read-own-file.ts';

/** More than there may be agents: the rest is somebody's mistake. */
const MAX_DEFINITIONS = 2_000;
const SUFFIX = '.config.json';
const REGISTRY = 'agents-registry.json';

export interface Scanned {
  readonly root: string;
  readonly definitions: string;
  readonly souls: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * `x.config.json`, `x/x.config.json` with `SOUL.md` beside it, and the entries of `agents-registry.json`, which know
 * more than the files of the same name and come first.
 */
export async function scanDefinitions(place: Scanned): Promise<readonly FoundDefinition[]> {
  const { definitions } = place;
  const entries = await readdir(definitions, { withFileTypes: true }).catch((thrown: unknown) => {
    if (errnoOf(thrown) === 'ENOENT') return [];
    throw thrown;
  });
  const found: FoundDefinition[] = [];
  if (entries.some(({ name }) => name === REGISTRY)) found.push(...(await scanRegistry(place)));
  for (const entry of entries) {
    if (found.length >= MAX_DEFINITIONS) break;
    const { name } = entry;
    if (name.startsWith('.')) continue;
    if (entry.isFile() && name.endsWith(SUFFIX)) {
      found.push(await scanFile(place, join(definitions, name)));
    } else if (entry.isDirectory()) {
      const path = join(definitions, name, `${name}${SUFFIX}`);
      if (statOwnFile(path) !== undefined) found.push(await scanFile(place, path));
    }
  }
  return found;
}

async function scanFile(place: Scanned, path: string): Promise<FoundDefinition> {
  const fields = await readObject(place.root, path);
  const slug = basename(path).slice(0, -SUFFIX.length);
  const named = fields && (fields['slug'] === undefined ? { ...fields, slug } : fields);
  return { path: relative(place.root, path), fields: named, soul: await findSoul(place, slug) };
}

async function scanRegistry(place: Scanned): Promise<FoundDefinition[]> {
  const path = join(place.definitions, REGISTRY);
  const at = relative(place.root, path);
  const listed = await readJson(place.root, path);
  if (!Array.isArray(listed)) return [{ path: at, fields: undefined, soul: undefined }];
  const found: FoundDefinition[] = [];
  for (const [index, entry] of listed.slice(0, MAX_DEFINITIONS).entries()) {
    const fields = isObject(entry) ? entry : undefined;
    const personality = fields?.['personality_path'];
    const slug = typeof personality === 'string' ? basename(personality, '.md') : '';
    const soul = SAFE.test(slug) ? await findSoul(place, slug) : undefined;
    found.push({ path: `${at}[${index}]`, fields, soul });
  }
  return found;
}

const SAFE = /^[\w-]{1,64}$/;

/** Of `souls/x.md`, or of the folder that the definition lies in. */
async function findSoul({ root, definitions, souls }: Scanned, slug: string) {
  for (const path of [join(souls, `${slug}.md`), join(definitions, slug, 'SOUL.md')]) {
    if (statOwnFile(path) === undefined) continue;
    const read = await readOwnFile(root, path);
    if (read.problem === undefined) return read.content;
  }
  return undefined;
}

export async function readObject(root: string, path: string): Promise<Fields | undefined> {
  const value = await readJson(root, path);
  return isObject(value) ? value : undefined;
}

async function readJson(root: string, path: string): Promise<unknown> {
  if (statOwnFile(path) === undefined) return undefined;
  const { content } = await readOwnFile(root, path);
  if (content === undefined) return undefined;
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
