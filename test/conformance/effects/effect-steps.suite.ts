import { describe, expect, test } from 'vitest';
import type { EffectWrite } from '../../../src/core/effects/effect.ts';
import type { RequestId } from '../../../src/core/ids.ts';
import {
  COMPLETED,
  cancelDrafts,
  claimNewRun,
  claimOnly,
  draft,
  finishRun,
  LEASE_MS,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';
import { intend, intended, newRequestId, send, settle } from './effect-rig.ts';

type Misfit = readonly [
  name: string,
  before: (id: RequestId) => EffectWrite[],
  steps: (id: RequestId) => EffectWrite[],
];

const MISFITS: readonly Misfit[] = [
  ['a call nobody intended, sent', () => [], (id) => [send(id)]],
  ['a call nobody intended, settled', () => [], (id) => [settle(id)]],
  ['a second intent', (id) => [intend(id)], (id) => [intend(id)]],
  ['a second send', (id) => [intend(id), send(id)], (id) => [send(id)]],
  ['a send after the end', (id) => [intend(id), settle(id, 'failed')], (id) => [send(id)]],
  ['a second end', (id) => [intend(id), settle(id)], (id) => [settle(id, 'failed')]],
  ['an end of what is unknown', (id) => [intend(id), settle(id, 'unknown')], (id) => [settle(id)]],
  ['a bad step after a good one', (id) => [intend(id)], (id) => [send(id), send(id)]],
];

/** What RunStore promises about the ledger. */
export function describeEffectSteps(engine: string, open: OpenStorage): void {
  describe(`effect ledger on ${engine}`, () => {
    test('records an intent together with the event of its call', async () => {
      const { runs, events, storage, clock } = await openRig(open);
      const held = await claimNewRun(runs);
      const id = newRequestId();

      const result = await runs.append(held.lease, [draft('tool.call')], [intend(id)]);

      expect(result).toEqual({ outcome: 'appended', lastSeq: 3 });
      expect(await storage.effects.find(id)).toEqual(intended(id, held, clock.nowMs()));
      expect(typesOf(await readAll(events, held.run.id)).at(-1)).toBe('tool.call');
    });

    test('takes a step without an event', async () => {
      const { runs, events, storage, clock } = await openRig(open);
      const held = await claimNewRun(runs);
      const id = newRequestId();
      await runs.append(held.lease, [draft('tool.call')], [intend(id)]);
      const createdAtMs = clock.nowMs();
      clock.advance(10);

      const result = await runs.append(held.lease, [], [send(id)]);

      expect(result).toEqual({ outcome: 'appended', lastSeq: 3 });
      expect(await storage.effects.find(id)).toEqual({
        ...intended(id, held, createdAtMs),
        status: 'sent',
        updatedAtMs: clock.nowMs(),
      });
      expect(await readAll(events, held.run.id)).toHaveLength(3);
    });

    test('goes on with the steps after a reopen', async () => {
      const { runs, reopen, clock } = await openRig(open);
      const held = await claimNewRun(runs);
      const id = newRequestId();
      await runs.append(held.lease, [draft('tool.call')], [intend(id), send(id)]);
      const storage = await reopen();

      const result = await storage.runs.append(
        held.lease,
        [draft('tool.result')],
        [{ ...settle(id, 'failed'), error: { code: 'tool_failed', message: 'no\0 🦀' } }],
      );

      expect(result).toEqual({ outcome: 'appended', lastSeq: 4 });
      expect(await storage.effects.find(id)).toEqual({
        ...intended(id, held, clock.nowMs()),
        status: 'failed',
        error: { code: 'tool_failed', message: 'no\0 🦀' },
      });
    });

    test.each(MISFITS)('refuses loudly %s, and writes nothing', async (_, before, steps) => {
      const { runs, events, storage } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      const id = newRequestId();
      await runs.append(lease, [draft('tool.call')], before(id));
      const known = await storage.effects.find(id);

      const result = runs.append(lease, [draft('tool.result')], steps(id));

      await expect(result).rejects.toMatchObject({ name: 'RuntimeError', code: 'internal' });
      expect(await storage.effects.find(id)).toEqual(known);
      expect(await readAll(events, run.id)).toHaveLength(3);
      expect(await runs.append(lease, [draft('tool.result')])).toMatchObject({ lastSeq: 4 });
    });

    test("refuses loudly a step on another run's effect", async () => {
      const { runs, storage } = await openRig(open);
      const mine = await claimNewRun(runs);
      const other = await claimNewRun(runs);
      const id = newRequestId();
      await runs.append(mine.lease, [], [intend(id)]);

      const result = runs.append(other.lease, [], [send(id)]);

      await expect(result).rejects.toMatchObject({ code: 'internal' });
      expect((await storage.effects.find(id))?.status).toBe('intent');
    });

    test('lets a misfit fail alone among the writes made with it', async () => {
      const { runs, storage } = await openRig(open);
      const held = await Promise.all(Array.from({ length: 8 }, () => claimNewRun(runs)));
      const ids = held.map(newRequestId);

      const results = await Promise.allSettled(
        held.map(({ lease }, index) => {
          const id = ids[index] ?? newRequestId();
          return runs.append(lease, [draft('tool.call')], [index === 3 ? send(id) : intend(id)]);
        }),
      );

      expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
        held.map((_, index) => index !== 3),
      );
      expect(await storage.effects.countByStatus()).toMatchObject({ intent: 7, sent: 0 });
    });

    test.each(['lost_lease', 'terminal'] as const)(
      'writes no effect when the append is refused: %s',
      async (reason) => {
        const { runs, storage, clock } = await openRig(open);
        const { run, lease } = await claimNewRun(runs);
        const kept = newRequestId();
        await runs.append(lease, [], [intend(kept)]);
        clock.advance(LEASE_MS);
        const taken = await claimOnly(runs, run.id, 'runner-b');
        if (reason === 'terminal') await finishRun(runs, taken.lease);
        const before = await storage.effects.list({ limit: 10 });

        const appended = await runs.append(lease, [], [intend(newRequestId()), send(kept)]);
        const finished = await runs.finish(lease, [draft('run.completed')], COMPLETED, [
          settle(kept),
        ]);

        expect([appended, finished]).toEqual([
          { outcome: 'refused', reason },
          { outcome: 'refused', reason },
        ]);
        expect(await storage.effects.list({ limit: 10 })).toEqual(before);
      },
    );

    test('settles with the end of its run, also what the runner has left open', async () => {
      const { runs, storage } = await openRig(open);
      const held = await claimNewRun(runs);
      const bystander = await claimNewRun(runs);
      const [confirmed, sent, untouched, other] = Array.from({ length: 4 }, newRequestId) as [
        RequestId,
        RequestId,
        RequestId,
        RequestId,
      ];
      const opening = [intend(confirmed), send(confirmed), intend(sent), send(sent)];
      await runs.append(held.lease, [], [...opening, intend(untouched)]);
      await runs.append(bystander.lease, [], [intend(other), send(other)]);

      await runs.finish(held.lease, [draft('run.completed')], COMPLETED, [settle(confirmed)]);

      const effects = await Promise.all(
        [confirmed, sent, untouched, other].map((id) => storage.effects.find(id)),
      );
      expect(effects.map((effect) => [effect?.status, effect?.error?.code])).toEqual([
        ['confirmed', undefined],
        ['unknown', 'outcome_unknown'],
        ['failed', 'cancelled'],
        ['sent', undefined],
      ]);
    });

    test('settles what a crashed runner left open when the run is cancelled at once', async () => {
      const { runs, storage } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      const id = newRequestId();
      await runs.append(lease, [], [intend(id), send(id)]);
      await runs.takeOver('runner-a');

      const { run: cancelled } = await runs.requestCancel(run.id, cancelDrafts());

      expect(cancelled.status).toBe('cancelled');
      expect(await storage.effects.find(id)).toMatchObject({ status: 'unknown' });
    });

    test('settles what is known of a run at rest as it is cancelled', async () => {
      const { runs, storage } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      const id = newRequestId();
      await runs.append(lease, [], [intend(id), send(id)]);
      await runs.release([lease]);
      const end = { ...COMPLETED, status: 'cancelled', stopReason: 'cancelled' } as const;
      const ending = { atSeq: 2, results: [], effects: [settle(id)], end };

      await runs.requestCancel(run.id, { ...cancelDrafts(), ending });

      expect(await storage.effects.find(id)).toMatchObject({ status: 'confirmed' });
    });

    test('leaves the effects of a run that is being cancelled to its runner', async () => {
      const { runs, storage } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      const id = newRequestId();
      await runs.append(lease, [], [intend(id), send(id)]);

      await runs.requestCancel(run.id, cancelDrafts());

      expect(await storage.effects.find(id)).toMatchObject({ status: 'sent' });
      expect(await runs.append(lease, [], [settle(id)])).toMatchObject({ outcome: 'appended' });
    });
  });
}
