import type { Dirent } from 'node:fs';
import * as z from 'zod';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { aimAtPaths } from './paths/path-aims.ts';
import { pathField } from './paths/path-field.ts';
import type { PathGuard } from './paths/path-guard.ts';
import { isReservedName } from './paths/path-names.ts';
import { repairPath } from './repair-arguments.ts';
import { isTemporaryName } from './temporary-name.ts';

const MAX_ENTRIES = 2_000;
// Names are sorted before they are cut, so that the same directory always shows the same ones. Beyond this many the
// order on the disk decides, and memory stays bounded.
const MAX_NAMES = 100_000;

const input = z.strictObject({
  path: pathField('The directory to list, relative to the workspace; "." is the workspace itself.'),
});

interface Listing {
  readonly path: string;
  readonly entries: readonly string[];
  readonly truncated: boolean;
}

export function createFsList(guard: PathGuard): Tool {
  return defineTool<z.infer<typeof input>, Listing>({
    name: 'fs.list',
    description:
      'List one directory of the workspace, sorted by name and not recursive. Names of directories end in "/". ' +
      `At most ${MAX_ENTRIES} entries; truncated says whether there are more.`,
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/files/fs-list.ts',
    input,
    repair: (raw) => ({ path: '.', ...repairPath(raw) }),
    aims: ({ path }) => aimAtPaths(guard, { field: 'path', path }),
    summarize: (_, { path, entries }) => `listed ${entries.length} entries in ${path}`,

    async execute({ path }, { signal }) {
      signal.throwIfAborted();
      const { directory } = await guard.openDirectory(path);
      try {
        const { entries, complete } = await directory.readEntries(MAX_NAMES);
        const names = entries.filter(isVisible).map(entryName).sort();
        return {
          path,
          entries: names.slice(0, MAX_ENTRIES),
          truncated: !complete || names.length > MAX_ENTRIES,
        };
      } finally {
        await directory.close();
      }
    },
  });
}

/** What the guard would not open is not shown either, nor what an interrupted write left behind. */
function isVisible({ name }: Dirent): boolean {
  return !isReservedName(name) && !isTemporaryName(name);
}

function entryName(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}
