import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RuntimeError } from '../core/errors.ts';

const MAX_LEVELS = 6;

/** Sources and bundled chunks lie at different depths, so the root is looked for, not counted. */
export function findPackageRoot(): string {
  let folder = import.meta.dirname;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    if (existsSync(join(folder, 'migrations', 'sqlite'))) return folder;
    folder = dirname(folder);
  }
  throw new RuntimeError(
    'internal',
    'the installation is incomplete: migrations/sqlite is missing',
  );
}
