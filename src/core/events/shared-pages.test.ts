import { expect, test } from 'vitest';
import type { RunId } from '../ids.ts';
import type { Event } from './event.ts';
import type { EventLog } from './event-log.ts';
import { openPageReader } from './shared-pages.ts';

const RUN = 'run_1' as RunId;
const eventOf = (seq: number) => ({ seq, runId: RUN, type: 'model.delta' }) as unknown as Event;

/** A log of which each read looks at once and answers when it is told to. */
function createSlowLog() {
  const events: Event[] = [];
  const answers: (() => void)[] = [];
  const log = {
    read(_runId, { after }) {
      const page = events.filter(({ seq }) => seq > after);
      return new Promise((resolve) => answers.push(() => resolve(page)));
    },
  } as Pick<EventLog, 'read'> as EventLog;
  return {
    log,
    answers,
    commit: () => events.push(eventOf(events.length + 1)),
    answerAll: () => {
      for (const answer of answers.splice(0)) answer();
    },
  };
}

test('readers at one place share one read and one page', async () => {
  const { log, answers, answerAll, commit } = createSlowLog();
  const readers = [1, 2, 3].map(() => openPageReader(log, RUN));
  commit();

  const reading = readers.map((reader) => reader.read(0));
  const reads = answers.length;
  answerAll();
  const pages = await Promise.all(reading);
  const late = await readers[0]?.read(0);

  expect(reads).toBe(1);
  expect(pages[0]).toEqual([eventOf(1)]);
  expect(new Set([...pages, late]).size).toBe(1);
});

test('an empty page that was looked up before a commit is not taken for the news of it', async () => {
  const { log, answers, answerAll, commit } = createSlowLog();
  const [early, late, later] = [1, 2, 3].map(() => openPageReader(log, RUN));
  const before = early?.read(0);
  commit();
  const after = [late?.read(0), later?.read(0)];

  answerAll();
  await before;
  await new Promise(setImmediate);
  const reads = answers.length;
  answerAll();

  expect(await before).toEqual([]);
  expect(await Promise.all(after)).toEqual([[eventOf(1)], [eventOf(1)]]);
  expect(reads).toBe(1);
});

test('a reader that is alone reads for itself, also after others have left', async () => {
  const { log, answers, answerAll, commit } = createSlowLog();
  const [stays, leaves] = [openPageReader(log, RUN), openPageReader(log, RUN)];
  commit();
  const shared = [stays.read(0), leaves.read(0)];
  answerAll();
  await Promise.all(shared);
  leaves.leave();
  leaves.leave();

  const alone = stays.read(0);

  expect(answers.length).toBe(1);
  answerAll();
  expect(await alone).toEqual([eventOf(1)]);
});

test('a read that fails, fails for all who share it, and the next one is made anew', async () => {
  let reads = 0;
  const log = {
    async read() {
      reads += 1;
      if (reads === 1) throw new Error('the disk is gone');
      return [eventOf(1)];
    },
  } as Pick<EventLog, 'read'> as EventLog;
  const readers = [openPageReader(log, RUN), openPageReader(log, RUN)];

  const first = await Promise.allSettled(readers.map((reader) => reader.read(0)));
  const second = await Promise.all(readers.map((reader) => reader.read(0)));

  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(second).toEqual([[eventOf(1)], [eventOf(1)]]);
  expect(reads).toBe(2);
});
