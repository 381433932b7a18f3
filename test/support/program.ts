import { join } from 'node:path';

/** The program as it is shipped. */
export const PROGRAM = join(import.meta.dirname, '../../dist/claw.cjs');

const CACHES_BY_ITSELF_SINCE = 22;

const cacheFlags =
  Number.parseInt(process.versions.node, 10) < CACHES_BY_ITSELF_SINCE
    ? ['--require', join(import.meta.dirname, 'code-cache.cjs')]
    : [];

/** Arguments for Node that start the program, compiled once for all tests. */
export const START_PROGRAM = [...cacheFlags, PROGRAM];
