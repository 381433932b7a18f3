// A folder that does not fit on one screen hides what it is about: divide it by noun.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { exitWith, root } from './lib/process.mjs';

const MOST_FILES = 40;

function listCrowdedFolders(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const inner = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => listCrowdedFolders(`${folder}/${name}`));
  return files.length > MOST_FILES ? [`${folder} (${files.length})`, ...inner] : inner;
}

const crowded = ['src', 'dashboard/src', 'test', 'bench'].flatMap(listCrowdedFolders);
if (crowded.length > 0) {
  exitWith(`more than ${MOST_FILES} files in one folder: ${crowded.join(', ')}`);
}
