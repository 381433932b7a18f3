import type { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readlink, rename } from 'node:fs/promises';
import { RuntimeError } from '../core/errors.ts';
import type { Protection } from '../core/sandbox/sandbox.ts';
import { errnoOf } from '../platform/errno-of.ts';
import { toDiskPath, toText } from './disk-path.ts';
import { openUp } from './open-up.ts';
import { type GuardedEntry, surveyWorkspace } from './survey-workspace.ts';
import type { MountPlan } from './workspace-mounts.ts';

export interface Aftermath {
  readonly plan: MountPlan;
  readonly protect: (name: string) => Protection;
  /** Whether commands could have set the bits that let a file run as its owner. */
  readonly mayHaveSetIds: boolean;
}

const MAX_LISTED = 20;
const MAX_KEPT_BYTES = 40;
const ALL_RIGHTS = 0o700;
const PERMISSION_BITS = 0o1777;

/**
 * Takes names away that a command must not have made: a state folder with a configuration of its own choosing would be
 * found by the next program that looks upwards for one. They are renamed and not deleted, since a command can give
 * such a name to anything. Answers with what was renamed, relative to the workspace.
 */
export async function refusePlanted(aftermath: Aftermath): Promise<readonly string[]> {
  const { plan, protect, mayHaveSetIds } = aftermath;
  const after = await surveyWorkspace({
    workspace: plan.workspace,
    protect,
    except: plan.hidden,
    withModes: mayHaveSetIds,
  });
  const faults = [...after.faults];
  // Each by itself: what a command made to fail must not save the rest.
  async function attempt(path: string, act: (path: string) => Promise<void>): Promise<void> {
    await act(path).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'unknown reason';
      faults.push(`${toText(path)}: ${why}`);
    });
  }
  for (const path of after.privileged) await attempt(path, clearSetIds);
  const planted = after.guarded.filter(isNewSince(plan.survey.guarded));
  // What lies deeper goes first: its path is known by the names above it.
  const deepestFirst = planted.map(({ path }) => path).sort((a, b) => b.length - a.length);
  for (const path of deepestFirst) await attempt(path, renameAway);
  if (faults.length > 0) {
    const [first] = faults;
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
    throw new RuntimeError(
      'tool_failed',
      `the workspace can't be checked after the command: ${first}${more}`,
    );
  }
  return planted
    .map(({ path }) => toText(path).slice(plan.workspace.length + 1))
    .sort()
    .slice(0, MAX_LISTED);
}

/**
 * A command may carry along what was there before, and can't replace it: it lies under a mount. So a new file under an
 * old path came from outside, and an old file under a new path was carried.
 */
function isNewSince(before: readonly GuardedEntry[]): (entry: GuardedEntry) => boolean {
  const paths = new Set(before.filter(({ kind }) => kind !== 'link').map(({ path }) => path));
  const identities = new Set(before.map(({ identity }) => identity));
  return ({ path, identity }) => !paths.has(path) && !identities.has(identity);
}

/** To a name that no command can have taken before, nor make too long. */
async function renameAway(path: string): Promise<void> {
  const parent = path.slice(0, path.lastIndexOf('/'));
  const move = () =>
    inParent(path, async (at, name) => {
      const kept = name.replace(/^\.+/, '').slice(0, MAX_KEPT_BYTES);
      const target = at(`refused-${randomBytes(6).toString('hex')}.${kept}`);
      await rename(at(name), target).catch((error: unknown) => {
        // Another command's end was faster.
        if (errnoOf(error) !== 'ENOENT') throw error;
      });
    });
  await move().catch(async (error: unknown) => {
    if (errnoOf(error) !== 'EACCES') throw error;
    await openUp(parent, ALL_RIGHTS);
    await move();
  });
}

async function clearSetIds(path: string): Promise<void> {
  await inParent(path, async (at, name) => {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(at(name), flags).catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ELOOP') return undefined;
      throw error;
    });
    if (handle === undefined) return;
    try {
      await handle.chmod((await handle.stat()).mode & PERMISSION_BITS);
    } finally {
      await handle.close();
    }
  });
}

type Lookup = (name: string) => Buffer;

/**
 * Looks names up in a directory that is held open: another command may still run in the workspace, and a link that it
 * puts in place of a parent must not lead us out of it.
 */
async function inParent(
  path: string,
  act: (at: Lookup, name: string) => Promise<void>,
): Promise<void> {
  const end = path.lastIndexOf('/');
  const [parent, name] = [path.slice(0, end), path.slice(end + 1)];
  if (process.platform !== 'linux') return act((other) => toDiskPath(`${parent}/${other}`), name);
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  const handle = await open(toDiskPath(parent), flags);
  try {
    const held = `/proc/self/fd/${handle.fd}`;
    if ((await readlink(held, 'latin1')) !== parent) throw new Error(`${toText(parent)} was moved`);
    await act((other) => toDiskPath(`${held}/${other}`), name);
  } finally {
    await handle.close();
  }
}
