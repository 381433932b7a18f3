import { join } from 'node:path';
import { parseFrontMatter } from '../../core/inventory/parse-front-matter.ts';
import type { Complain, ExtensionFolder } from './extension-folder.ts';
import { describeText, isExtensionName, MAX_TEXT_BYTES } from './extension-text.ts';
import { readInside } from './read-inside.ts';

/** A command before it has a place in the inventory. */
export interface FoundCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly responsibility: string;
  /** Where it is said that there is such a command. */
  readonly declaredIn: string;
  readonly file: string | undefined;
}

const SKILL_FILE = 'SKILL.md';
const COMMAND_FILE = /^(.+)\.md$/;

/** Every folder with a `SKILL.md`. Others are nobody's fault: `skills` is a common name. */
export async function findSkills(
  folder: ExtensionFolder,
  complain: Complain,
): Promise<FoundCommand[]> {
  const found: FoundCommand[] = [];
  for (const name of folder.directories) {
    const path = join(folder.path, name, SKILL_FILE);
    const skill = await readCommandText({ folder: folder.path, path, name }, complain);
    if (skill) found.push(skill);
  }
  return found;
}

/** Every Markdown file is a command, named after the file. */
export async function findCommandFiles(
  folder: ExtensionFolder,
  complain: Complain,
): Promise<FoundCommand[]> {
  const found: FoundCommand[] = [];
  for (const fileName of folder.files) {
    const [, name] = COMMAND_FILE.exec(fileName) ?? [];
    if (name === undefined) continue;
    const path = join(folder.path, fileName);
    const command = await readCommandText({ folder: folder.path, path, name }, complain);
    if (command) found.push(command);
  }
  return found;
}

interface Candidate {
  /** What the file must not lead out of. */
  readonly folder: string;
  readonly path: string;
  /** For a text that does not name itself. */
  readonly name: string;
}

async function readCommandText(
  { folder, path, name: placeName }: Candidate,
  complain: Complain,
): Promise<FoundCommand | undefined> {
  const refuse = (message: string) => complain({ path, message });
  const read = await readInside(folder, path, MAX_TEXT_BYTES);
  if (read.outcome === 'missing') return undefined;
  if (read.outcome === 'refused') {
    refuse(read.reason);
    return undefined;
  }
  const matter = parseFrontMatter(read.text);
  if (matter === undefined) {
    refuse('has front matter that is not closed by ---');
    return undefined;
  }
  const name = matter.fields.get('name') || placeName;
  const responsibility = describeText(matter);
  if (!isExtensionName(name)) {
    refuse('has a name that is not letters, digits, dots, dashes and underscores, at most 64');
    return undefined;
  }
  if (responsibility === '') {
    refuse('is empty');
    return undefined;
  }
  return { name, aliases: [], responsibility, declaredIn: path, file: read.path };
}
