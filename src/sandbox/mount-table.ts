import { readFile } from 'node:fs/promises';
import { isInside } from '../platform/is-inside.ts';

/** One mount of the machine: which part of which file system is seen where. */
interface MountedPart {
  readonly device: string;
  /** The part's path within its file system. */
  readonly part: string;
  readonly path: string;
}

/** Where a file lies, whatever path it is reached by. */
interface DiskPlace {
  readonly device: string;
  readonly path: string;
}

export interface MountTable {
  locate(realPath: string): DiskPlace | undefined;
  /** Every path under which the place can be reached: a mount may show it a second time. */
  listPaths(place: DiskPlace): readonly string[];
  /** The mounts at a directory or below it. */
  listInside(directory: string): readonly MountedPart[];
}

export async function readMountTable(file = '/proc/self/mountinfo'): Promise<MountTable> {
  // Systems without it have no second mounts to look for either.
  return createMountTable(await readFile(file, 'utf8').catch(() => ''));
}

export function createMountTable(mountinfo: string): MountTable {
  const mounts = mountinfo
    .split('\n')
    .map(parseMount)
    .filter((mount) => mount !== undefined);
  return {
    locate(realPath) {
      // Among equals the later mount lies on top.
      const mount = mounts
        .filter(({ path }) => isInside(path, realPath))
        .reduce<MountedPart | undefined>(
          (best, next) => (best && best.path.length > next.path.length ? best : next),
          undefined,
        );
      if (mount === undefined) return undefined;
      return { device: mount.device, path: rebase(realPath, mount.path, mount.part) };
    },

    listPaths: ({ device, path }) =>
      mounts
        .filter((mount) => mount.device === device && isInside(mount.part, path))
        .map((mount) => rebase(path, mount.part, mount.path)),

    listInside: (directory) => mounts.filter(({ path }) => isInside(directory, path)),
  };
}

function parseMount(line: string): MountedPart | undefined {
  const [, , device, part, path] = line.split(' ');
  if (device === undefined || part === undefined || path === undefined) return undefined;
  return { device, part: decodePath(part), path: decodePath(path) };
}

/** The kernel writes spaces and the like as three octal digits. */
function decodePath(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function rebase(path: string, from: string, to: string): string {
  const rest = path === from ? '' : path.slice(from === '/' ? 0 : from.length);
  return `${to === '/' ? '' : to}${rest}` || '/';
}
