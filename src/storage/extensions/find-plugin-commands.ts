import { basename, dirname, isAbsolute, join } from 'node:path';
import { parseFrontMatter } from '../../core/inventory/parse-front-matter.ts';
import type { Complain, ExtensionFolder } from './extension-folder.ts';
import {
  describeText,
  isExtensionName,
  MAX_TEXT_BYTES,
  toResponsibility,
} from './extension-text.ts';
import type { FoundCommand } from './find-skills.ts';
import { readInside } from './read-inside.ts';

const MANIFEST_FILE = 'plugin.json';
const MAX_MANIFEST_BYTES = 256 * 1024;
const MAX_COMMANDS = 100;

/** What the manifest of a plugin says about one command. */
interface Declared {
  readonly name: string;
  readonly description: string | undefined;
  readonly file: string;
  /** A file that is only a guess may be missing. */
  readonly isFileGiven: boolean;
}

/** The commands of the plugin `<folder>/<name>`, called `<plugin>:<command>`. */
export async function findPluginCommands(
  folder: ExtensionFolder,
  name: string,
  complain: Complain,
): Promise<FoundCommand[]> {
  const path = join(folder.path, name, MANIFEST_FILE);
  const refuse = (message: string) => complain({ path, message });
  const read = await readInside(folder.path, path, MAX_MANIFEST_BYTES);
  if (read.outcome !== 'read') {
    refuse(read.outcome === 'missing' ? 'is missing' : read.reason);
    return [];
  }
  const manifest = parseManifest(read.text);
  if (manifest === undefined) {
    refuse('is not a JSON object');
    return [];
  }
  const plugin = typeof manifest['name'] === 'string' ? manifest['name'] : name;
  const commands = manifest['commands'] ?? [];
  if (!isExtensionName(plugin) || !Array.isArray(commands)) {
    refuse(
      Array.isArray(commands) ? 'has a name that is not plain' : 'has commands that are no list',
    );
    return [];
  }
  if (commands.length > MAX_COMMANDS) refuse(`has more than ${MAX_COMMANDS} commands`);
  const found: FoundCommand[] = [];
  for (const [at, value] of commands.slice(0, MAX_COMMANDS).entries()) {
    const declared = parseCommand(value);
    if (declared === undefined) {
      refuse(`has no plain name at commands[${at}]`);
      continue;
    }
    const command = await readCommand({ folder: dirname(read.path), declared, complain });
    if (command === undefined) continue;
    const { name: alias } = command;
    found.push({ ...command, name: `${plugin}:${alias}`, aliases: [alias], declaredIn: path });
  }
  return found;
}

function parseManifest(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** `{name, description?, file?}`, or just the file. */
function parseCommand(value: unknown): Declared | undefined {
  if (typeof value === 'string') {
    const name = basename(value).replace(/\.md$/, '');
    return isExtensionName(name)
      ? { name, description: undefined, file: value, isFileGiven: true }
      : undefined;
  }
  const { name, description, file } = (value ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || !isExtensionName(name)) return undefined;
  return {
    name,
    description: typeof description === 'string' ? description : undefined,
    file: typeof file === 'string' ? file : join('commands', `${name}.md`),
    isFileGiven: typeof file === 'string',
  };
}

async function readCommand(options: {
  readonly folder: string;
  readonly declared: Declared;
  readonly complain: Complain;
}): Promise<Omit<FoundCommand, 'declaredIn'> | undefined> {
  const { folder, declared, complain } = options;
  const { name, description, file, isFileGiven } = declared;
  const path = isAbsolute(file) ? file : join(folder, file);
  const read = await readInside(folder, path, MAX_TEXT_BYTES);
  if (read.outcome === 'refused' || (read.outcome === 'missing' && isFileGiven)) {
    complain({ path, message: read.outcome === 'refused' ? read.reason : 'is missing' });
    return undefined;
  }
  const matter = read.outcome === 'read' ? parseFrontMatter(read.text) : undefined;
  const described = matter === undefined ? '' : describeText(matter);
  return {
    name,
    aliases: [],
    responsibility: toResponsibility(description ?? '') || described,
    file: read.outcome === 'read' ? read.path : undefined,
  };
}
