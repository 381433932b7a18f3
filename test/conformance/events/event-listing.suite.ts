import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../src/core/events/event.ts';
import { verifyChain } from '../../../src/core/events/hash-chain.ts';
import type { AgentId, RunId } from '../../../src/core/ids.ts';
import { type EventPage, MAX_LOOKED_AT } from '../../../src/core/records/event-listing.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { claimNewRun, createRun, delta, draft, type OpenStorage, openRig } from '../harness.ts';

const ALL: EventPage = { types: EVENT_TYPES, limit: 100 };
const OTHER = 'agent_other' as AgentId;

const toName = ({ runId, seq }: { runId: RunId; seq: number }) => `${runId}#${seq}`;

async function list(storage: Storage, page: Partial<EventPage> = {}): Promise<string[]> {
  const { events } = await storage.records.listEvents({ ...ALL, ...page });
  return events.map(({ event }) => toName(event));
}

export function describeEventListing(engine: string, open: OpenStorage): void {
  /** Two runs with two and four events, a second apart. */
  async function openTwo() {
    const rig = await openRig(open);
    const first = await claimNewRun(rig.runs);
    await rig.clock.advance(1_000);
    const second = await claimNewRun(rig.runs, 'runner-a', { agentId: OTHER });
    await rig.runs.append(second.lease, [delta('a'), draft('tool.call', { tool: 'time.now' })]);
    const names = [1, 2, 3, 4].map((seq) => `${second.run.id}#${seq}`).toReversed();
    return { ...rig, first: first.run, second: second.run, names };
  }

  describe(`listing events on ${engine}`, () => {
    test('goes through all runs, newest first, page by page', async () => {
      const { storage, first, names } = await openTwo();

      const page = await storage.records.listEvents({ ...ALL, limit: 4 });
      const before = page.next ?? '';
      const rest = await storage.records.listEvents({ ...ALL, limit: 4, before });

      expect(page.events.map(({ event }) => toName(event))).toEqual(names);
      expect(rest.events.map(({ event }) => toName(event))).toEqual([
        `${first.id}#2`,
        `${first.id}#1`,
      ]);
      expect(rest.next).toBeUndefined();
    });

    test('any event is a place to go on from', async () => {
      const { storage, names } = await openTwo();
      const { events } = await storage.records.listEvents(ALL);

      const before = events[1]?.place ?? '';

      expect((await list(storage, { before })).slice(0, 2)).toEqual(names.slice(2));
    });

    test('shows events as the log has them', async () => {
      const { storage, events, second } = await openTwo();

      const listing = await storage.records.listEvents({ ...ALL, runId: second.id });

      const kept = await events.read(second.id, { after: 0, limit: 10 });
      expect(listing.events.map(({ event }) => event).toReversed()).toEqual(kept);
      expect(verifyChain(kept)).toMatchObject({ ok: true });
    });

    test('keeps to types, agent, run and time', async () => {
      const { storage, clock, first, second, names } = await openTwo();
      const nowMs = clock.nowMs();

      expect(await list(storage, { types: ['tool.call'] })).toEqual(names.slice(0, 1));
      expect(await list(storage, { types: [] })).toEqual([]);
      expect(await list(storage, { agentId: OTHER })).toEqual(names);
      expect(await list(storage, { runId: first.id })).toEqual([`${first.id}#2`, `${first.id}#1`]);
      expect(await list(storage, { runId: second.id, limit: 2 })).toEqual(names.slice(0, 2));
      expect(await list(storage, { sinceMs: nowMs })).toEqual(names);
      expect(await list(storage, { untilMs: nowMs })).toEqual([`${first.id}#2`, `${first.id}#1`]);
      expect(await list(storage, { sinceMs: nowMs + 1 })).toEqual([]);
      expect(await list(storage, { runId: second.id, untilMs: nowMs })).toEqual([]);
      expect(await list(storage, { runId: 'run_none' as RunId })).toEqual([]);
    });

    test('looks so far for what is rare, and says where to go on', async () => {
      const { storage, runs } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      for (let count = 0; count <= MAX_LOOKED_AT; count += 1_000) {
        await runs.append(
          lease,
          Array.from({ length: 1_000 }, () => delta('a')),
        );
      }

      const started = { ...ALL, types: ['run.started' as const] };
      const short = await storage.records.listEvents(started);
      const found = await storage.records.listEvents({ ...started, before: short.next ?? '' });

      expect(short.events).toEqual([]);
      expect(found.events.map(({ event }) => toName(event))).toEqual([`${run.id}#2`]);
    });

    test('of nothing there is nothing', async () => {
      const { storage, runs } = await openRig(open);

      expect(await storage.records.listEvents(ALL)).toEqual({ events: [], next: undefined });
      await createRun(runs);
      expect(await list(storage)).toHaveLength(1);
    });

    test.each(['', 'x', '-1', '1.5', '1.2.'])('refuses the place %j', async (before) => {
      const { storage } = await openRig(open);

      const listing = storage.records.listEvents({ ...ALL, before });

      await expect(listing).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });
}
