import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RuntimeError } from '../core/errors.ts';
import type { Protection } from '../core/sandbox/sandbox.ts';
import { errnoOf } from '../platform/errno-of.ts';
import { isInside } from '../platform/is-inside.ts';
import { toBytes, toText } from './disk-path.ts';
import { describeMounts } from './expected-mounts.ts';
import type { Mount } from './mount.ts';
import { type MountTable, readMountTable } from './mount-table.ts';
import { type GuardedEntry, type Survey, surveyWorkspace } from './survey-workspace.ts';

export interface WorkspaceMounts {
  /** The workspace. It has its real path inside, so that every tool speaks of the same files. */
  readonly workspace: string;
  /** The runtime's own folder; not shown at all where it lies among the system's. */
  readonly stateRoot: string | undefined;
  /** Where the workspace is one principal's folder: what it is a part of, which is shown as little. */
  readonly wholeWorkspace?: string | undefined;
  /** Directories that commands may read beside the system's own, such as a toolchain. */
  readonly readOnlyPaths: readonly string[];
  /** What of the system commands see without having asked. */
  readonly systemPaths: readonly string[];
  /** Directories of the runtime itself; hidden wherever commands could see them, and made where they are missing. */
  readonly reserved: readonly string[];
  /** Files of the runtime; hidden likewise, where they are. */
  readonly reservedFiles: readonly string[];
  /** Asked for each name below the workspace. */
  readonly protect: (name: string) => Protection;
}

export interface MountPlan {
  /** The workspace's real path, found anew for each command. */
  readonly workspace: string;
  readonly mounts: readonly Mount[];
  /** Paths that lead to something now, and must lead to nothing inside. */
  readonly witnesses: readonly string[];
  /** What the kernel has to say of the mounts inside, as `describeMounts` puts it. */
  readonly expected: string;
  /** Real paths of what is hidden because the configuration says so. */
  readonly hidden: readonly string[];
  readonly survey: Survey;
}

/** Each is a mount, which the kernel and `bwrap` look through for every other. */
const MAX_GUARDED = 500;

/**
 * Lays out what commands see. Everything is looked up anew: between two commands somebody may have renamed a parent,
 * mounted something or planted a link. Throws, in words for the operator, when something would stay in sight.
 */
export async function planMounts(config: WorkspaceMounts): Promise<MountPlan> {
  const workspace = await realpath(config.workspace);
  const readOnly = await Promise.all(config.readOnlyPaths.map((path) => realpath(path)));
  const system = await findExisting(config.systemPaths);
  const shown = [workspace, ...readOnly, ...system];
  const sight: Sight = { table: await readMountTable(), shown, workspace };
  const unseen = [config.stateRoot, config.wholeWorkspace].map((path) => findEmptied(path, sight));
  const emptied = [...new Set((await Promise.all(unseen)).flat())];
  const hidden: Mount[] = [];
  for (const path of config.reserved) {
    await assertStraight(path, workspace);
    const found = await findReserved(path, shown);
    if (found) hidden.push(...(await hide(found, 'hidden_directory', sight)));
  }
  for (const path of config.reservedFiles) {
    const [found] = await findExisting([path]);
    if (found) hidden.push(...(await hide(found, 'hidden_file', sight)));
  }
  const visible = hidden.filter(({ path }) => isStillSeen(path, emptied, workspace));
  const paths = hidden.map(({ path }) => path);
  const survey = await surveyWorkspace({ workspace, protect: config.protect, except: paths });
  if (survey.faults[0] !== undefined) throw new Error(survey.faults[0]);
  const covers = [...visible, ...coverGuarded(survey.guarded)];
  const mounts: readonly Mount[] = [
    ...readOnly.map((path): Mount => ({ path, access: 'read' })),
    ...emptied.map((path): Mount => ({ path, access: 'emptied' })),
    { path: workspace, access: 'write' },
    ...pinParents(covers, workspace),
    ...covers,
  ];
  return {
    workspace,
    mounts,
    expected: describeMounts(mounts, workspace, sight.table),
    witnesses: await findWitnesses([...hidden, ...covers]),
    hidden: paths,
    survey,
  };
}

interface Sight {
  readonly table: MountTable;
  readonly shown: readonly string[];
  readonly workspace: string;
}

/** What lies among the system's folders is taken away as a whole: a state root may hold more than the runtime put there. */
async function findEmptied(
  folder: string | undefined,
  { table, workspace, shown }: Sight,
): Promise<readonly string[]> {
  const [root] = folder === undefined ? [] : await findExisting([folder]);
  if (root === undefined || isInside(workspace, root)) return [];
  return pathsOf(root, table).filter((path) => {
    const others = shown.filter((other) => other !== workspace);
    return (
      others.some((other) => other !== path && isInside(other, path)) &&
      !others.some((other) => isInside(path, other))
    );
  });
}

function isStillSeen(path: string, emptied: readonly string[], workspace: string): boolean {
  return isInside(workspace, path) || !emptied.some((root) => isInside(root, path));
}

/** Makes a reserved directory that commands could make themselves; what is out of their sight is left alone. */
async function findReserved(path: string, shown: readonly string[]): Promise<string | undefined> {
  const [found] = await findExisting([path]);
  if (found !== undefined) return found;
  const parent = await realpath(dirname(path)).catch(() => undefined);
  if (parent === undefined) throw new Error(`${dirname(path)} is not where it was`);
  if (!shown.some((root) => isInside(root, parent))) return undefined;
  const made = join(parent, path.slice(path.lastIndexOf('/') + 1));
  await mkdir(made, { mode: 0o700 }).catch((error: unknown) => {
    if (errnoOf(error) !== 'EEXIST') throw error;
  });
  return made;
}

/** A link in the workspace could be replaced by a command, and then lead elsewhere. */
async function assertStraight(path: string, workspace: string): Promise<void> {
  if (!isInside(workspace, path)) return;
  const real = await realpath(path).catch(() => path);
  if (real !== path) throw new Error(`${path} goes through a symbolic link in the workspace`);
}

async function hide(
  realPath: string,
  access: Mount['access'],
  { table, shown, workspace }: Sight,
): Promise<readonly Mount[]> {
  const place = table.locate(realPath);
  for (const root of shown) {
    const at = table.locate(root);
    const isWithin = isInside(realPath, root) || (place && at && isSameOrBelow(place, at));
    if (isWithin) {
      const what = root === workspace ? 'the workspace' : root;
      throw new Error(`${what} lies inside ${realPath}, which no command may see`);
    }
  }
  const identity = await findIdentity(realPath);
  const mounts: Mount[] = [];
  for (const path of pathsOf(realPath, table)) {
    if (!shown.some((root) => isInside(root, path))) continue;
    // Another mount may lie on top of one that would show it.
    if ((await findIdentity(path)) === identity) mounts.push({ path, access });
  }
  return mounts;
}

async function findIdentity(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.dev}:${found.ino}`;
}

function isSameOrBelow(
  place: { readonly device: string; readonly path: string },
  other: { readonly device: string; readonly path: string },
): boolean {
  return place.device === other.device && isInside(place.path, other.path);
}

function pathsOf(realPath: string, table: MountTable): readonly string[] {
  const place = table.locate(realPath);
  return [...new Set([realPath, ...(place ? table.listPaths(place) : [])])];
}

function coverGuarded(guarded: readonly GuardedEntry[]): readonly Mount[] {
  if (guarded.length > MAX_GUARDED) {
    throw new Error(`more than ${MAX_GUARDED} names in the workspace belong to the runtime`);
  }
  // Nothing can be mounted on a link; where it leads is hidden by its own name, or is nothing of ours.
  const found = guarded.filter(({ kind }) => kind !== 'link');
  return found.map(({ path, protection, kind }) => {
    const text = toText(path);
    if (toBytes(text) !== path) throw new Error(`the name of ${text} is not UTF-8`);
    if (protection === 'read_only') return { path: text, access: 'read' };
    return { path: text, access: kind === 'directory' ? 'hidden_directory' : 'hidden_file' };
  });
}

/**
 * Mounts the directories above what is covered on themselves. A mount point can't be renamed, so no command can carry a
 * hidden directory to where the next one would find it, nor put a control file of its own in the place of the operator's.
 */
function pinParents(covers: readonly Mount[], workspace: string): readonly Mount[] {
  const pins = new Set<string>();
  for (const { path } of covers) {
    if (!isInside(workspace, path)) continue;
    for (let at = dirname(path); at !== workspace; at = dirname(at)) pins.add(at);
  }
  return [...pins].sort((a, b) => a.length - b.length).map((path) => ({ path, access: 'write' }));
}

/** Something in each hidden directory, to be looked for from inside. */
async function findWitnesses(covers: readonly Mount[]): Promise<readonly string[]> {
  const directories = covers.filter(({ access }) => access === 'hidden_directory');
  const witnesses: string[] = [];
  for (const path of new Set(directories.map((cover) => cover.path))) {
    const [name] = await readdir(path).catch(() => []);
    if (name !== undefined) witnesses.push(join(path, name));
  }
  return witnesses;
}

async function findExisting(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    try {
      found.push(await realpath(path));
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR') throw error;
    }
  }
  return found;
}

/** The directory to run in. Links on the way are of no concern: outside the mounts there is nothing to reach. */
export function resolveInWorkspace(workspace: string, cwd: string): string {
  const path = join(workspace, cwd);
  if (isInside(workspace, path)) return path;
  throw new RuntimeError('policy_denied', `directory denied: ${cwd} (it leaves the workspace)`, {
    details: { path: cwd, reason: 'outside_workspace' },
  });
}
