import { expect, test } from 'vitest';
import { addRun, openTestLog } from '../../../test/support/test-log.ts';
import { toBody } from '../../operations/operation.ts';
import { followRun } from '../../surfaces/cli/commands/runs/follow-run.ts';
import { systemClock } from '../clock.ts';
import { createRunReader } from '../runs/runs.ts';
import { EVENT_TYPES } from './event.ts';
import { readKept } from './read-kept.ts';
import { watchEvents } from './watch-events.ts';

test('a reader that takes what is kept begins at the floor, and only there', async () => {
  const { storage } = await openTestLog();
  const runId = await addRun(storage, 8);
  await storage.retention.prune([{ runId, through: 5 }]);
  const seqs = async (after: number) =>
    (await readKept(storage.events, runId, { after, limit: 2 })).map((event) => event.seq);

  expect([await seqs(0), await seqs(5), await seqs(7), await seqs(8)]).toEqual([
    [6, 7],
    [6, 7],
    [8],
    [],
  ]);
});

test('following an ended run on the command line shows what is kept of it', async () => {
  const { storage } = await openTestLog();
  const runId = await addRun(storage, 8);
  await storage.retention.prune([{ runId, through: 5 }]);
  const runs = createRunReader({ ...storage, clock: systemClock });
  const seqs: number[] = [];

  const run = await followRun({
    way: {
      ask: async (operation, input) => toBody(await operation.run({ runs }, input)),
      stream: (operation, input, signal) => operation.follow({ runs }, input, signal),
    },
    runId,
    signal: new AbortController().signal,
    onEvent: (event) => seqs.push(event.seq),
  });

  expect(run.last_seq).toBe(8);
  expect(seqs).toEqual([6, 7, 8]);
});

test('giving up on a log that is being shown is not its end', async () => {
  const { storage } = await openTestLog();
  const runId = await addRun(storage, 2_000);
  const runs = createRunReader({ ...storage, clock: systemClock });
  const giving = new AbortController();

  const following = followRun({
    way: {
      ask: async (operation, input) => toBody(await operation.run({ runs }, input)),
      stream: (operation, input, signal) => operation.follow({ runs }, input, signal),
    },
    runId,
    signal: giving.signal,
    onEvent: () => giving.abort(),
  });

  await expect(following).rejects.toMatchObject({ code: 'cancelled' });
});

test('a watcher too slow for the log of a run is told that it has lagged, and goes on', async () => {
  const { storage } = await openTestLog();
  const leaving = new AbortController();
  const steps = watchEvents(
    { ...storage, clock: systemClock },
    { types: new Set(EVENT_TYPES), signal: leaving.signal },
  );
  expect((await steps.next()).value).toEqual({ kind: 'ready' });
  const pruned = await addRun(storage, 8);
  await storage.retention.prune([{ runId: pruned, through: 5 }]);
  const next = await addRun(storage, 4);

  const first = (await steps.next()).value;
  const second = (await steps.next()).value;
  leaving.abort();
  await steps.return(undefined);

  expect(first).toEqual({ kind: 'lagged' });
  expect(second).toMatchObject({
    kind: 'events',
    events: [1, 2, 3, 4].map((seq) => ({ runId: next, seq })),
  });
});
