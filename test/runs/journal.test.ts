import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createIds } from '../../src/core/create-ids.ts';
import type { RuntimeError } from '../../src/core/errors.ts';
import { createSeal } from '../../src/core/events/seal.ts';
import { silentLogger } from '../../src/core/log.ts';
import { createRedactor } from '../../src/core/redact/create-redactor.ts';
import { createJournal, type Journal } from '../../src/core/runs/journal.ts';
import { NO_TOTALS } from '../../src/core/runs/run.ts';
import { takeTurn } from '../../src/core/take-turn.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { claimNewRun } from '../conformance/harness.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTempRoot } from '../support/temp-root.ts';

const seal = createSeal({ ids: createIds(() => Date.now()), redactor: createRedactor() });

/** A journal of a claimed run on a real store, and what reached the store: how many events each append had. */
async function openJournal() {
  const root = await openTempRoot();
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(async () => {
    await storage.close();
    await root.remove();
  });
  const { run, lease } = await claimNewRun(storage.runs);
  const clock = new ManualClock();
  const appends: number[] = [];
  const refusals: RuntimeError[] = [];
  const journal = createJournal({
    runs: {
      ...storage.runs,
      append(ref, drafts) {
        appends.push(drafts.length);
        return storage.runs.append(ref, drafts);
      },
    },
    seal,
    lease,
    clock,
    onRefused: (error) => refusals.push(error),
  });
  const texts = async () =>
    (await storage.events.read(run.id, { after: 2, limit: 1_000 })).map(
      (event) => event.payload['text'] ?? event.type,
    );
  return { storage, lease, journal, clock, appends, refusals, texts };
}

function note(journal: Journal, text: string): void {
  journal.note({ type: 'model.delta', actor: 'model', payload: { text } });
}

test('what is noted while a commit is under way goes with the next one, in order', async () => {
  const { journal, appends, texts } = await openJournal();

  note(journal, 'a');
  await journal.commit();
  await takeTurn();
  for (const text of ['b', 'c', 'd']) {
    note(journal, text);
    await journal.commit();
  }
  await journal.barrier();

  expect(appends).toEqual([1, 3]);
  expect(await texts()).toEqual(['a', 'b', 'c', 'd']);
});

test('what is noted in one turn of the event loop goes together', async () => {
  const { journal, appends, texts } = await openJournal();

  for (const text of ['a', 'b', 'c']) {
    note(journal, text);
    await journal.commit();
  }
  const atOnce = [...appends];
  await takeTurn();
  const afterTurn = [...appends];
  note(journal, 'd');
  await journal.barrier();

  expect([atOnce, afterTurn, appends]).toEqual([[], [3], [3, 1]]);
  expect(await texts()).toEqual(['a', 'b', 'c', 'd']);
});

test('an end that comes in the same turn carries all of it', async () => {
  const { journal, appends, texts } = await openJournal();
  note(journal, 'a');
  await journal.commit();

  await journal.finish(
    { type: 'run.completed', payload: {} },
    { status: 'completed', stopReason: 'completed', output: '', totals: NO_TOTALS },
  );
  await takeTurn();

  expect(appends).toEqual([]);
  expect(await texts()).toEqual(['a', 'run.completed']);
});

test('what may be seen a moment later gathers, and goes at once when something is waited for', async () => {
  const { journal, clock, appends, texts } = await openJournal();

  note(journal, 'a');
  await journal.commitSoon();
  note(journal, 'b');
  await journal.commitSoon();
  const gathered = [...appends];
  clock.advance(10);
  note(journal, 'c');
  await journal.commitSoon();
  await journal.barrier();
  clock.advance(10);
  await journal.barrier();

  expect(gathered).toEqual([]);
  expect(appends).toEqual([2, 1]);
  expect(await texts()).toEqual(['a', 'b', 'c']);
});

test('a barrier makes everything noted so far durable', async () => {
  const { journal, texts } = await openJournal();

  note(journal, 'a');
  note(journal, 'b');
  await journal.barrier();

  expect(await texts()).toEqual(['a', 'b']);
});

test('the end carries what still waits, after what is under way', async () => {
  const { journal, appends, texts } = await openJournal();
  note(journal, 'under way');
  await journal.commit();
  await takeTurn();
  note(journal, 'waiting');
  await journal.commit();

  await journal.finish(
    { type: 'run.completed', payload: {} },
    { status: 'completed', stopReason: 'completed', output: '', totals: NO_TOTALS },
  );

  expect(appends).toEqual([1]);
  expect(await texts()).toEqual(['under way', 'waiting', 'run.completed']);
});

test('a refused commit is told once, stops what waits, and fails every later call', async () => {
  const { storage, lease, journal, appends, refusals, texts } = await openJournal();
  await storage.runs.release([lease]);

  note(journal, 'a');
  await journal.commit();
  await takeTurn();
  note(journal, 'b');
  await journal.commit();

  await expect(journal.barrier()).rejects.toMatchObject({ code: 'lost_lease' });
  await expect(journal.commit()).rejects.toMatchObject({ code: 'lost_lease' });
  expect(refusals).toHaveLength(1);
  expect(appends).toEqual([1]);
  expect(await texts()).toEqual([]);
});

test('a writer that gets too far ahead waits for the store', async () => {
  const { journal, appends, texts } = await openJournal();
  note(journal, 'first');
  await journal.commit();
  await takeTurn();
  for (let index = 0; index < 256; index += 1) note(journal, String(index));

  await journal.commit();

  expect(appends).toEqual([1, 256]);
  await journal.barrier();
  expect(await texts()).toHaveLength(257);
});
