// A second process for the tests of the embedded engine: told what to do by its arguments, it answers in lines.
import { silentLogger } from '../../../src/core/log.ts';
import type { LeaseRef } from '../../../src/core/runs/run-store.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open-sqlite-storage.ts';
import { openServerLock } from '../../../src/storage/sqlite/server-lock.ts';
import { createRun, delta } from '../harness.ts';

const [task, file = '', ...rest] = process.argv.slice(2);

const say = (line: string) => process.stdout.write(`${line}\n`);
const open = () => openSqliteStorage({ file, writer: 'inline', logger: silentLogger });

const TASKS: Record<string, () => Promise<void>> = {
  /** Holds the server's lock until it is killed. */
  async lock() {
    openServerLock(file);
    say('locked');
    setInterval(() => {}, 60_000);
  },

  async create() {
    const storage = await open();
    say((await createRun(storage.runs)).id);
    await storage.close();
  },

  /** Appends one event after the other to a run it holds and says each `seq` once it is durable. */
  async append() {
    const storage = await open();
    const [runId, leaseId, count] = rest;
    const lease = { runId, leaseId } as LeaseRef;
    for (let index = 0; index < Number(count); index += 1) {
      const result = await storage.runs.append(lease, [delta(`child ${index}`)]);
      say(result.outcome === 'appended' ? `${result.lastSeq}` : result.reason);
    }
    await storage.close();
  },
};

await TASKS[task ?? '']?.();
