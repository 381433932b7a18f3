import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../src/core/clock.ts';
import { RuntimeError } from '../../src/core/errors.ts';
import { tryFileLock } from '../../src/storage/sqlite/file-lock.ts';
import { installLocalSpeech } from '../../src/voice/install/install-local-speech.ts';
import { TEST_CACHE } from './test-cache.ts';

const FOLDER = join(TEST_CACHE, 'local-speech');
const MAX_WAIT_MS = 240_000;

/**
 * The folder of local speech, fetched once and kept between runs. Undefined, with the reason on standard error, where no
 * registry can be reached.
 */
export async function findLocalSpeech(): Promise<string | undefined> {
  await mkdir(TEST_CACHE, { recursive: true });
  const deadlineMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const lock = tryFileLock(`${FOLDER}.lock`);
    if (lock) return install().finally(() => lock.close());
    if (performance.now() > deadlineMs) throw new Error('somebody else is installing for too long');
    await pause(200);
  }
}

async function install(): Promise<string | undefined> {
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  const deps = { environment: process.env, clock: systemClock, signal, onStep() {} };
  try {
    await installLocalSpeech({ ...deps, folder: FOLDER });
    return FOLDER;
  } catch (thrown) {
    if (!(thrown instanceof RuntimeError) || thrown.code !== 'provider_failed') throw thrown;
    process.stderr.write(`skipped: tests of local speech, for ${thrown.message}\n`);
    return undefined;
  }
}

/** As `claw voice install` would have left it in this state root. */
export async function putLocalSpeech(root: string, folder: string): Promise<void> {
  const place = join(root, '.openclawssy', 'voice', 'local');
  if (existsSync(place)) return;
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  await symlink(folder, place);
}
