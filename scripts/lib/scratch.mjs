import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The suite's state roots and databases take a few hundred megabytes at their most. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;
const TMPFS = 0x01021994;

/**
 * A temporary folder for everything that a test run writes; gone when it ends. In memory where there is room: tests kill
 * processes and never the machine, so what they show does not depend on a disk, and waiting for one took a third of their
 * time. A TMPDIR that somebody set is kept.
 */
export function openScratch(env = process.env) {
  const parent = env.TMPDIR === undefined && hasRoom('/dev/shm') ? '/dev/shm' : tmpdir();
  const path = mkdtempSync(join(parent, 'pincer-test-'));
  // As /tmp is: database servers and some tests run as other users.
  chmodSync(path, 0o1777);
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

function hasRoom(folder) {
  try {
    const { type, bavail, bsize } = statfsSync(folder);
    return type === TMPFS && bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
