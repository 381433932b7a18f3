import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { silentLogger } from '../../core/log.ts';
import { openSqliteStorage } from './open-sqlite-storage.ts';

/** No file of this process may grow beyond so many bytes: to the database that is a disk without room. */
function limitFiles(bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
}

function findReasonToSkip(): string | undefined {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'there is no prlimit to fill the disk with';
  }
}

const reason = findReasonToSkip();

test.skipIf(reason !== undefined)(
  `a store that can be read and not written is unavailable until there is room${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  async () => {
    const root = await openTempRoot();
    onTestFinished(() => root.remove());
    const file = join(root.path, 'pincer.db');
    const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
    onTestFinished(() => storage.close());
    await storage.ping();

    onTestFinished(() => limitFiles('unlimited'));
    limitFiles(statSync(`${file}-wal`).size);
    await expect(storage.ping()).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect((await storage.runs.list({ limit: 1 })).runs).toEqual([]);
    limitFiles('unlimited');

    await expect(storage.ping()).resolves.toBeUndefined();
  },
);
