import { join } from 'node:path';
import { silentLogger } from '../../src/core/log.ts';
import type { Storage } from '../../src/core/storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { openTempRoot } from '../support/temp-root.ts';
import type { OpenStorage } from './harness.ts';
import { describeStorage } from './storage.suite.ts';

for (const writer of ['inline', 'thread'] as const) {
  const open: OpenStorage = async ({ nowMs }) => {
    const root = await openTempRoot();
    const opened: Storage[] = [];

    async function openNext(): Promise<Storage> {
      const file = join(root.path, 'pincer.db');
      const storage = await openSqliteStorage({
        file,
        clock: { nowMs },
        writer,
        logger: silentLogger,
      });
      opened.push(storage);
      return storage;
    }

    const storage = await openNext();
    return {
      storage,
      openBeside: openNext,
      async reopen() {
        await opened.at(-1)?.close();
        return openNext();
      },
      async close() {
        for (const each of opened) await each.close();
        await root.remove();
      },
    };
  };

  describeStorage(`sqlite (${writer} writer)`, open);
}
