import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Every entry below the directories, with the content of files and the target of links. */
export async function readTree(
  root: string,
  directories: readonly string[],
): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const directory of directories) {
    const entries = await readdir(join(root, directory), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) tree[path] = await readFile(path, 'utf8');
      else tree[path] = entry.isSymbolicLink() ? `-> ${await readlink(path)}` : 'other';
    }
  }
  return tree;
}
