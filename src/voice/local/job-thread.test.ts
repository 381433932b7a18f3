import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import { silentLogger } from '../../core/log.ts';
import { createJobThread, type JobThread } from './job-thread.ts';

const NEVER = new AbortController().signal;
const open: JobThread[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const thread of open.splice(0)) await thread.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A thread that does what is written here; it counts its jobs from 1. */
function openThread(source: string, clock: Clock = systemClock): JobThread {
  const folder = mkdtempSync(join(tmpdir(), 'speech-'));
  folders.push(folder);
  const entry = join(folder, 'thread.cjs');
  writeFileSync(
    entry,
    `const { parentPort } = require('node:worker_threads');
     let no = 0;
     const answer = (value) => parentPort.postMessage({ outcome: 'done', value });
     parentPort.on('message', ({ text }) => { no += 1; ${source} });`,
  );
  const times = { idleMs: () => 60_000, jobTimeoutMs: 5_000 };
  const thread = createJobThread({
    ...{ folder, name: 'test', entry, ...times, clock, logger: silentLogger },
  });
  open.push(thread);
  return thread;
}

const job = (text: string) => ({ kind: 'speak', text, voice: undefined }) as const;

test('a thread that dies fails its job, and the next one gets a new thread', async () => {
  const thread = openThread(`if (text === 'die') process.exit(1); answer(no);`);

  const outcomes = await Promise.allSettled(
    ['a', 'die', 'b'].map((text) => thread.run(job(text), NEVER)),
  );

  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: { outcome: 'done', value: 1 } },
    { status: 'rejected', reason: { code: 'provider_failed' } },
    { status: 'fulfilled', value: { outcome: 'done', value: 1 } },
  ]);
});

test('a thread without work ends, and starts again with the next job', async () => {
  const clock = new ManualClock();
  const thread = openThread('answer(no);', clock);

  const first = await thread.run(job('a'), NEVER);
  const second = await thread.run(job('b'), NEVER);
  clock.advance(60_000);
  const third = await thread.run(job('c'), NEVER);

  expect([first, second, third]).toMatchObject([{ value: 1 }, { value: 2 }, { value: 1 }]);
});

test('a job that takes too long ends with its thread', async () => {
  const clock = new ManualClock();
  const thread = openThread(`if (text !== 'never') answer(no);`, clock);

  await thread.run(job('a'), NEVER);
  const hanging = thread.run(job('never'), NEVER);
  const next = thread.run(job('b'), NEVER);
  clock.advance(5_000);

  await expect(hanging).rejects.toMatchObject({ code: 'provider_failed' });
  expect(await next).toMatchObject({ value: 1 });
});

test('more jobs than it can soon do are refused, and those given up leave the queue', async () => {
  const thread = openThread('');
  const givers = Array.from({ length: 17 }, () => new AbortController());

  const jobs = givers.map(({ signal }) => thread.run(job('a'), signal));
  const settled = Promise.allSettled(jobs);
  const refused = await thread.run(job('b'), NEVER).catch((error: unknown) => error);
  for (const giver of givers) giver.abort(new Error('left'));

  expect(refused).toMatchObject({ code: 'rate_limited' });
  expect((await settled).map((one) => 'reason' in one && one.reason.message)).toEqual(
    givers.map(() => 'left'),
  );
});
