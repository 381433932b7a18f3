import { isInside } from '../platform/is-inside.ts';
import type { Mount } from './mount.ts';
import type { MountTable } from './mount-table.ts';

/** Stands for a file system in memory that is made for the command, whose device nobody knows before. */
const IN_MEMORY = 'memory /';

/**
 * What a command's table of mounts has to say of the workspace, for the first process inside to compare. Mounts are
 * made by name, after everything was looked at: another command may have put a link under one of the names, and then
 * something else of the machine would be mounted. Where a mount leads is in the kernel's table, whatever it was called.
 *
 * The first line is the workspace. Each other is a mount that must or may be there: `must|may ro|any DEVICE PART POINT`.
 */
export function describeMounts(
  mounts: readonly Mount[],
  workspace: string,
  table: MountTable,
): string {
  const inside = mounts.filter(({ path }) => isInside(workspace, path));
  const must = inside.map(({ path, access }) => {
    const mode = access === 'read' ? 'ro' : 'any';
    return `must ${mode} ${findSource({ path, access }, table)} ${escapePath(path)}`;
  });
  // Binding takes along what is mounted below.
  const may = table
    .listInside(workspace)
    .map(({ device, part, path }) => `may any ${device} ${escapePath(part)} ${escapePath(path)}`);
  return `${[escapePath(workspace), ...must, ...may].join('\n')}\n`;
}

function findSource({ path, access }: Mount, table: MountTable): string {
  if (access === 'emptied' || access === 'hidden_directory') return IN_MEMORY;
  const source = access === 'hidden_file' ? '/dev/null' : path;
  const place = table.locate(source);
  if (place === undefined) throw new Error(`${source} is in no mount that is known`);
  return `${place.device} ${escapePath(place.path)}`;
}

/** As the kernel writes paths in its table. */
function escapePath(path: string): string {
  return path.replace(
    /[ \t\n\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}
