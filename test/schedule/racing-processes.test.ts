import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_AGENT_ID, type JobId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import type { FireResult, NewJob } from '../../src/core/schedule/job-store.ts';
import type { Storage } from '../../src/core/storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { claimOnly, finishRun } from '../conformance/harness.ts';
import { createTestDatabase, openStorageAt } from '../conformance/open-postgres.ts';
import { bundleScript } from '../support/bundle-script.ts';
import { findPostgres } from '../support/postgres.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { HOUR_MS, MINUTE_MS, OTHER_AGENT_ID } from './schedule-rig.ts';

const SCRIPT = await bundleScript(new URL('race-process.ts', import.meta.url));
const PROCESSES = 3;
const JOBS = 80;

// Says why when there is none.
const postgres = await findPostgres();

async function startProcess(engine: string, target: string) {
  const args = [SCRIPT, engine, target];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  return {
    line,
    async isReady() {
      expect(await line()).toBe('ready');
    },
    go: () => void child.stdin.write('go\n'),
  };
}

/** Half are due once, a minute ago; the others have missed four slots and catch up with a fifth. */
function overdueJob(index: number, nowMs: number): NewJob {
  const isOnce = index % 2 === 0;
  const atMs = nowMs - MINUTE_MS;
  const anchorMs = nowMs - 5.5 * HOUR_MS;
  return {
    id: `job_${String(index).padStart(3, '0')}` as JobId,
    agentId: DEFAULT_AGENT_ID,
    owner: 'operator',
    schedule: isOnce ? new Date(atMs).toISOString() : '@every 1h',
    message: 'hello',
    mode: index % 8 === 0 ? 'main_like' : 'isolated',
    notify: { channel: 'agent', target: OTHER_AGENT_ID },
    isEnabled: true,
    timezone: 'UTC',
    catchUp: 'once',
    anchorMs,
    nextSlotMs: isOnce ? atMs : anchorMs + HOUR_MS,
  };
}

async function createOverdueJobs(storage: Storage): Promise<NewJob[]> {
  for (const id of [DEFAULT_AGENT_ID, OTHER_AGENT_ID]) {
    await storage.agents.ensure({ id, name: id, role: '', model: undefined, instructions: '' });
  }
  const nowMs = Date.now();
  const jobs = Array.from({ length: JOBS }, (_, index) => overdueJob(index, nowMs));
  for (const job of jobs) await storage.jobs.create(job, { maxJobs: JOBS });
  return jobs;
}

/** The run of each job, after checking that what became of its slots is exactly what should have. */
async function checkFirings(storage: Storage, job: NewJob) {
  const { firings } = await storage.jobs.listFirings({ jobId: job.id, limit: 100 });
  const [fired] = firings;
  const isOnce = job.schedule !== '@every 1h';
  const firstMs = job.nextSlotMs ?? 0;
  expect(firings).toMatchObject([
    { outcome: 'fired', slotMs: isOnce ? firstMs : firstMs + 4 * HOUR_MS },
    ...(isOnce
      ? []
      : [
          {
            outcome: 'missed',
            reason: 'late',
            firstSlotMs: firstMs,
            lastSlotMs: firstMs + 3 * HOUR_MS,
            count: 4,
          },
        ]),
  ]);
  if (fired?.outcome !== 'fired') throw new Error('not fired');
  return fired.runId;
}

async function race(engine: string, target: string, storage: Storage): Promise<void> {
  const jobs = await createOverdueJobs(storage);
  const processes = await Promise.all(
    Array.from({ length: PROCESSES }, () => startProcess(engine, target)),
  );
  const goTogether = async () => {
    await Promise.all(processes.map((each) => each.isReady()));
    for (const { go } of processes) go();
  };

  await goTogether();
  const outcomes = (await Promise.all(processes.map((each) => each.line()))).flatMap(
    (line) => JSON.parse(line) as FireResult['outcome'][],
  );

  // Everyone tried every slot: one of them got it, the others were told so.
  expect(outcomes.filter((outcome) => outcome === 'fired')).toHaveLength(JOBS);
  expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength((PROCESSES - 1) * JOBS);
  const runIds = [];
  for (const job of jobs) runIds.push(await checkFirings(storage, job));
  expect(new Set(runIds).size).toBe(JOBS);
  expect((await storage.runs.countByStatus()).queued).toBe(JOBS);

  const byExchange = await Promise.all(runIds.map((id) => storage.runs.find(id)));
  byExchange.sort((one, other) => (one?.exchange ?? 0) - (other?.exchange ?? 0));
  for (const run of byExchange) {
    const { lease } = await claimOnly(storage.runs, run!.id);
    await finishRun(storage.runs, lease);
  }
  await goTogether();
  await goTogether();
  const told = (await Promise.all(processes.map((each) => each.line()))).map(Number);

  const inbox = await storage.mail.list({ agentId: OTHER_AGENT_ID, limit: 2 * JOBS });
  expect(told.reduce((sum, count) => sum + count, 0)).toBe(JOBS);
  expect(inbox.map(({ runId }) => runId).sort()).toEqual(runIds.sort());
}

test('processes on one SQLite file fire each slot once and tell of it once', {
  timeout: 90_000,
}, async () => {
  const root = await openTempRoot();
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(async () => {
    await storage.close();
    await root.remove();
  });

  await race('sqlite', file, storage);
});

test.skipIf(!postgres.available)(
  'processes on one PostgreSQL database fire each slot once and tell of it once',
  { timeout: 90_000 },
  async () => {
    const url = await createTestDatabase('migrated');

    await race('postgres', url, await openStorageAt(url));
  },
);
