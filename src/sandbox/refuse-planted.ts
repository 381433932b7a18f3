import type { Buffer } from 'node:buffer';
import { constants } from 'node:fs';
import { lstat, open, readlink, rename } from 'node:fs/promises';
import { RuntimeError } from '../core/errors.ts';
import type { Protection } from '../core/sandbox/sandbox.ts';
import { type GuardedEntry, surveyWorkspace, toDiskPath, toText } from './survey-workspace.ts';
import { errnoOf } from './unavailable.ts';
import type { MountPlan } from './workspace-mounts.ts';

export interface Aftermath {
  readonly plan: MountPlan;
  readonly protect: (name: string) => Protection;
  /** Whether commands could have set the bits that let a file run as its owner. */
  readonly mayHaveSetIds: boolean;
}

const MAX_LISTED = 20;
const MAX_TRIES = 100;
const PERMISSION_BITS = 0o1777;

/**
 * Takes names away that a command must not have made: a state folder with a configuration of its own choosing would be
 * found by the next program that looks upwards for one. They are renamed and not deleted, since a command can give
 * such a name to anything. Answers with what was renamed, relative to the workspace.
 */
export async function refusePlanted(aftermath: Aftermath): Promise<readonly string[]> {
  const { plan, protect, mayHaveSetIds } = aftermath;
  try {
    const after = await surveyWorkspace({
      workspace: plan.workspace,
      protect,
      except: plan.hidden,
      withModes: mayHaveSetIds,
    });
    for (const path of after.privileged) await clearSetIds(path);
    const planted = after.guarded.filter(isNewSince(plan.survey.guarded));
    for (const entry of planted) await renameAway(entry.path);
    return planted
      .map(({ path }) => toText(path).slice(plan.workspace.length + 1))
      .sort()
      .slice(0, MAX_LISTED);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown reason';
    throw new RuntimeError(
      'tool_failed',
      `the workspace can't be checked after the command: ${why}`,
    );
  }
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

async function renameAway(path: string): Promise<void> {
  await inParent(path, async (at, name) => {
    for (let count = 1; count <= MAX_TRIES; count += 1) {
      const prefix = count === 1 ? 'refused' : `refused-${count}`;
      const target = at(`${prefix}${name.startsWith('.') ? '' : '.'}${name}`);
      if (await lstat(target).catch(() => undefined)) continue;
      return rename(at(name), target);
    }
    throw new Error(`${toText(path)} was refused too often`);
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
