import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../src/core/events/event.ts';
import { verifyChain } from '../../../src/core/events/hash-chain.ts';
import type { EventListing } from '../../../src/core/records/event-listing.ts';
import type { Storage } from '../../../src/core/storage.ts';
import {
  claimNewRun,
  delta,
  finishRun,
  type Held,
  type OpenStorage,
  openRig,
  readAll,
} from '../harness.ts';
import { createThreadRun, sendFrame } from '../sessions/thread-rig.ts';

const EVENTS = 200;
const seqsOf = (events: readonly { readonly seq: number }[]) => events.map(({ seq }) => seq);
const numbers = (from: number, through: number) =>
  Array.from({ length: through - from + 1 }, (_, index) => from + index);

/** Two runs that write in turns, one event and three at a time. */
async function writeLongLogs(storage: Storage): Promise<readonly [Held, Held]> {
  const held = [await claimNewRun(storage.runs), await claimNewRun(storage.runs)] as const;
  for (let count = 2; count < EVENTS; count += 1) {
    await storage.runs.append(held[0].lease, [delta(`${count}`)]);
    if (count % 3 === 1)
      await storage.runs.append(held[1].lease, [delta('a'), delta('b'), delta('c')]);
  }
  return held;
}

async function listAll(storage: Storage, page: object): Promise<EventListing['events']> {
  const found: EventListing['events'][number][] = [];
  for (let before: string | undefined; ; ) {
    const all = { types: EVENT_TYPES, limit: 7, ...page, ...(before && { before }) };
    const listing = await storage.records.listEvents(all);
    found.push(...listing.events);
    before = listing.next;
    if (before === undefined) return found;
  }
}

export function describeLongLogs(engine: string, open: OpenStorage): void {
  describe(`long logs on ${engine}`, () => {
    test('are read from any cursor, in pages of any size, with the hash of the event before', async () => {
      const { storage, events } = await openRig(open);
      const [{ run }] = await writeLongLogs(storage);

      const whole = await readAll(events, run.id);
      const pages = [];
      for (const after of [0, 1, 62, 63, 64, 65, 127, 128, 129, 192, 199, 200, 500]) {
        for (const limit of [1, 2, 64, 65, 1_000]) {
          const page = await events.read(run.id, { after, limit });
          pages.push([page, whole.slice(after, after + limit)] as const);
        }
      }

      expect(seqsOf(whole)).toEqual(numbers(1, EVENTS));
      expect(verifyChain(whole)).toMatchObject({ ok: true, last: { seq: EVENTS } });
      for (const [page, expected] of pages) expect(page).toEqual(expected);
    });

    test('go on after a restart where they ended, and say so', async () => {
      const rig = await openRig(open);
      const [, { run, lease }] = await writeLongLogs(rig.storage);
      const { lastSeq: before } = (await rig.runs.find(run.id)) ?? { lastSeq: 0 };
      const storage = await rig.reopen();

      await storage.runs.append(lease, [delta('behind')]);
      const open_ = await storage.runs.find(run.id);
      const head = await storage.records.findHead(run.id);
      await finishRun(storage.runs, lease);

      const whole = await readAll(storage.events, run.id);
      expect([open_?.lastSeq, head?.lastSeq]).toEqual([before + 1, before + 1]);
      expect(head?.last.hash).toBe(whole[before]?.hash);
      expect(verifyChain(whole)).toMatchObject({ ok: true, last: { seq: before + 2 } });
    });

    test('are listed newest first, alone and among the others', async () => {
      const { storage, events } = await openRig(open);
      const [{ run }, other] = await writeLongLogs(storage);

      const alone = await listAll(storage, { runId: run.id });
      const all = await listAll(storage, {});

      const whole = await readAll(events, run.id);
      const both = whole.length + (await readAll(events, other.run.id)).length;
      expect(alone.map(({ event }) => event)).toEqual(whole.toReversed());
      expect(all).toHaveLength(both);
      expect(all.map(({ event }) => event).filter(({ runId }) => runId === run.id)).toEqual(
        whole.toReversed(),
      );
    });

    test('lose their beginning at any event, and are read from there on', async () => {
      const { storage, runs, events } = await openRig(open);
      const [{ run, lease }] = await writeLongLogs(storage);
      await finishRun(runs, lease);
      await runs.markRecorded([{ runId: run.id, auditedSeq: EVENTS + 1, bundled: true }]);
      const whole = await readAll(events, run.id);

      for (const through of [10, 64, 65, 128, 150, EVENTS]) {
        await storage.retention.prune([{ runId: run.id, through }]);
        const kept = await events.read(run.id, { after: through, limit: 500 });
        const listed = await listAll(storage, { runId: run.id });

        expect(kept).toEqual(whole.slice(through));
        expect(listed.map(({ event }) => event)).toEqual(whole.slice(through).toReversed());
        await expect(events.read(run.id, { after: through - 1, limit: 1 })).rejects.toMatchObject({
          code: 'stale_cursor',
        });
      }
    });

    test('hold their frames wherever they came', async () => {
      const { storage, runs, events } = await openRig(open);
      const { id } = await createThreadRun(runs);
      for (let frame = 0; frame < 150; frame += 1) await sendFrame(runs, id, `frm_${frame}`);

      const frames = await events.readFrames(id, { after: 1, limit: 500 });

      const whole = await readAll(storage.events, id);
      expect(frames).toEqual(whole.slice(1));
    });
  });
}
