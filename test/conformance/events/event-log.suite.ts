import { describe, expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import {
  claimNewRun,
  delta,
  draft,
  finishRun,
  type OpenStorage,
  openRig,
  type Rig,
} from '../harness.ts';
import { describeEventNews } from './event-news.suite.ts';
import { describeEventRetention } from './event-retention.suite.ts';

export function describeEventLog(engine: string, open: OpenStorage): void {
  describeEventRetention(engine, open);
  describeEventNews(engine, open);

  describe(`EventLog on ${engine}`, () => {
    test('reads an unknown run as empty', async () => {
      const { events } = await openRig(open);

      expect(await events.read('run_unknown' as RunId, { after: 0, limit: 10 })).toEqual([]);
    });

    test.each([
      { after: 0, limit: 10, seqs: [1, 2, 3, 4, 5] },
      { after: 0, limit: 1, seqs: [1] },
      { after: 0, limit: 5, seqs: [1, 2, 3, 4, 5] },
      { after: 1, limit: 2, seqs: [2, 3] },
      { after: 4, limit: 10, seqs: [5] },
      { after: 5, limit: 10, seqs: [] },
      { after: 6, limit: 10, seqs: [] },
      { after: Number.MAX_SAFE_INTEGER, limit: 10, seqs: [] },
      { after: 0, limit: 0, seqs: [] },
    ])('reads $limit events after $after as $seqs', async ({ after, limit, seqs }) => {
      const rig = await openRig(open);
      const runId = await seedRun(rig, 5);

      const page = await rig.events.read(runId, { after, limit });

      expect(page.map((event) => event.seq)).toEqual(seqs);
    });

    test('pages through a long log without loss or repetition', async () => {
      const rig = await openRig(open);
      const runId = await seedRun(rig, 1_203);

      const seqs: number[] = [];
      for (let page = 0; page < 13; page += 1) {
        const read = await rig.events.read(runId, { after: seqs.length, limit: 100 });
        seqs.push(...read.map((event) => event.seq));
      }

      expect(seqs).toEqual(Array.from({ length: 1_203 }, (_, index) => index + 1));
    });

    test('never mixes the events of two runs', async () => {
      const rig = await openRig(open);
      const first = await claimNewRun(rig.runs);
      const second = await claimNewRun(rig.runs);
      for (let index = 0; index < 5; index += 1) {
        await rig.runs.append(first.lease, [delta('first')]);
        await rig.runs.append(second.lease, [delta('second')]);
      }

      const page = await rig.events.read(first.run.id, { after: 2, limit: 100 });

      expect(page.map((event) => [event.runId, event.seq, event.payload])).toEqual(
        [3, 4, 5, 6, 7].map((seq) => [first.run.id, seq, { text: 'first' }]),
      );
    });

    test('shows an event as soon as its append is acknowledged, and to everybody', async () => {
      const { runs, events, openBeside } = await openRig(open);
      const beside = await openBeside();
      const { run, lease } = await claimNewRun(runs);

      for (let seq = 3; seq < 30; seq += 1) {
        await runs.append(lease, [delta('now')]);
        expect(await events.read(run.id, { after: seq - 1, limit: 10 })).toHaveLength(1);
        expect(await beside.events.read(run.id, { after: seq - 1, limit: 10 })).toHaveLength(1);
      }
    });

    test('keeps the log of an ended run over a reopen', async () => {
      const { runs, events, reopen } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await runs.append(lease, [draft('tool.call', { tool: 'time.now' })]);
      await finishRun(runs, lease);
      const before = await events.read(run.id, { after: 0, limit: 10 });

      const reopened = await reopen();

      expect(before).toHaveLength(4);
      expect(await reopened.events.read(run.id, { after: 0, limit: 10 })).toEqual(before);
    });
  });
}

/** A run whose log holds exactly `length` events. */
async function seedRun({ runs }: Rig, length: number): Promise<RunId> {
  const { run, lease } = await claimNewRun(runs);
  await runs.append(
    lease,
    Array.from({ length: length - 2 }, (_, index) => delta(`${index}`)),
  );
  return run.id;
}
