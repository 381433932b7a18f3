import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './config/environment.ts';
import { RuntimeError } from './core/errors.ts';

/** A state root that is gone again when it was looked at. */
export interface PassingRoot {
  readonly path: string;
  remove(): Promise<void>;
}

/** For commands that ask what a state root says where there is none: a new one would say the same. */
export async function openPassingRoot(root: string, env: Environment): Promise<PassingRoot> {
  if (env.DATABASE_URL !== undefined) {
    // A runtime on the shared database would write the records of its runs into a folder that is about to vanish.
    throw new RuntimeError('conflict', `there is no state root in ${root}`, {
      details: {
        target: root,
        hint: 'claw init makes one; with DATABASE_URL this is looked up through it',
      },
    });
  }
  const path = await mkdtemp(join(tmpdir(), 'claw-look-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
