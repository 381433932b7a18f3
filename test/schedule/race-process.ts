// A process for the tests of racing schedulers: it fires all jobs that are due, then tells what came of their runs. It
// waits for a line on stdin before each, so that all processes set off with the same jobs in their hands.
import { once } from 'node:events';
import { createIds } from '../../src/core/create-ids.ts';
import { createSeal } from '../../src/core/events/seal.ts';
import { silentLogger } from '../../src/core/log.ts';
import { createRedactor } from '../../src/core/redact/create-redactor.ts';
import { createDueJobs } from '../../src/core/schedule/due-jobs.ts';
import type { FireResult } from '../../src/core/schedule/job-store.ts';
import { settleFirings } from '../../src/core/schedule/settle-firings.ts';
import type { Storage } from '../../src/core/storage.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open-postgres-storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';

const [engine = '', target = ''] = process.argv.slice(2);
const logger = silentLogger;

const OPENERS: Record<string, () => Promise<Storage>> = {
  sqlite: () => openSqliteStorage({ file: target, writer: 'inline', logger }),
  postgres: () => openPostgresStorage({ url: target, logger }),
};

const storage = await OPENERS[engine]?.();
if (!storage) throw new Error(`unknown engine ${engine}`);
const { jobs, sessions } = storage;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function untilTold(): Promise<void> {
  say('ready');
  await once(process.stdin, 'data');
}

const ids = createIds(Date.now);
const redactor = createRedactor();
const outcomes: FireResult['outcome'][] = [];

const dueJobs = createDueJobs({
  store: {
    ...jobs,
    async listDue(limit) {
      const due = await jobs.listDue(limit);
      await untilTold();
      return due;
    },
    async fire(firing) {
      const result = await jobs.fire(firing);
      outcomes.push(result.outcome);
      return result;
    },
  },
  sessions,
  ids,
  seal: createSeal({ ids, redactor }),
  redactor,
  logger,
  slots: undefined,
  settings: () => ({
    isEnabled: true,
    maxConcurrentJobs: 1_000,
    misfireGraceMs: 60_000,
    historyPerJob: 100,
    maxQueued: 10_000,
    maxWaitingInSession: 10_000,
  }),
});

await dueJobs.tick();
say(JSON.stringify(outcomes));

let told = 0;
const store = {
  async listUnsettled(limit: number) {
    const ended = await jobs.listUnsettled(limit);
    await untilTold();
    return ended;
  },
  async settle(...settling: Parameters<typeof jobs.settle>) {
    const isMine = await jobs.settle(...settling);
    told += isMine ? 1 : 0;
    return isMine;
  },
};
// The first page is in every process's hands at once; the rest is told as it comes.
await untilTold();
const telling = { ids, redactor, logger };
await settleFirings({ ...telling, store });
while (await settleFirings({ ...telling, store: { ...store, listUnsettled: jobs.listUnsettled } }));
say(String(told));

await storage.close();
process.stdin.destroy();
