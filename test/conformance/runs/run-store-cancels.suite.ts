import { describe, expect, test } from 'vitest';
import { isTerminalEvent } from '../../../src/core/events/event.ts';
import type { RunId } from '../../../src/core/ids.ts';
import type { RunEnd } from '../../../src/core/runs/run.ts';
import {
  COMPLETED,
  cancelDrafts,
  claimNewRun,
  claimOnly,
  claimRequest,
  createRun,
  delta,
  draft,
  finishRun,
  LEASE_MS,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';

const CANCELLED: RunEnd = {
  status: 'cancelled',
  stopReason: 'cancelled',
  output: 'so far',
  totals: { turns: 2, toolCalls: 1, inputTokens: 30, outputTokens: 4, costUsd: 0.5 },
};

export function describeCancels(engine: string, open: OpenStorage): void {
  describe(`RunStore.requestCancel on ${engine}`, () => {
    test('ends a queued run at once', async () => {
      const { runs, events, clock } = await openRig(open);
      const run = await createRun(runs);
      clock.advance(10);

      const result = await runs.requestCancel(run.id, cancelDrafts());

      const ended = {
        ...run,
        status: 'cancelled',
        stopReason: 'cancelled',
        lastSeq: 3,
        updatedAtMs: clock.nowMs(),
        endedAtMs: clock.nowMs(),
      };
      expect(result).toEqual({ run: ended, recorded: true });
      expect(await runs.find(run.id)).toEqual(ended);
      expect(typesOf(await readAll(events, run.id))).toEqual([
        'run.created',
        'run.cancel_requested',
        'run.cancelled',
      ]);
      expect(await runs.claim(claimRequest())).toBeUndefined();
    });

    test('turns a held run cancelling and lets its runner end it', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);

      const result = await runs.requestCancel(run.id, cancelDrafts());

      expect(result).toEqual({ run: { ...run, status: 'cancelling', lastSeq: 3 }, recorded: true });
      expect((await runs.append(lease, [delta('last words')])).outcome).toBe('appended');
      await finishRun(runs, lease, { ...COMPLETED, status: 'cancelled', stopReason: 'cancelled' });
      expect((await runs.find(run.id))?.status).toBe('cancelled');
      expect(typesOf(await readAll(events, run.id))).toEqual([
        'run.created',
        'run.started',
        'run.cancel_requested',
        'model.delta',
        'run.cancelled',
      ]);
    });

    test('ends a released run at once: nobody holds it', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await runs.release([lease]);

      const result = await runs.requestCancel(run.id, cancelDrafts());

      expect(result).toMatchObject({ run: { status: 'cancelled', lastSeq: 4 }, recorded: true });
      expect(typesOf(await readAll(events, run.id)).at(-1)).toBe('run.cancelled');
      expect(await runs.claim(claimRequest())).toBeUndefined();
    });

    test('ends a run at rest with what its log tells', async () => {
      const { runs, events, clock } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await runs.release([lease]);
      const ending = {
        atSeq: 2,
        results: [draft('tool.result', { no: 1 })],
        effects: [],
        end: CANCELLED,
      };

      const result = await runs.requestCancel(run.id, { ...cancelDrafts(), ending });

      const { output, totals } = CANCELLED;
      const ended = { status: 'cancelled', stopReason: 'cancelled', output, totals, lastSeq: 5 };
      expect(result).toMatchObject({ run: ended, recorded: true });
      expect(await runs.find(run.id)).toMatchObject({ ...ended, endedAtMs: clock.nowMs() });
      expect(typesOf(await readAll(events, run.id)).slice(-3)).toEqual([
        'run.cancel_requested',
        'tool.result',
        'run.cancelled',
      ]);
      expect(await runs.listUnrecorded(10)).toHaveLength(1);
    });

    test('records nothing for whoever looked at a run at rest before it went on', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await runs.append(lease, [delta('unseen')]);
      await runs.release([lease]);
      const ending = { atSeq: 2, results: [], effects: [], end: CANCELLED };

      const result = await runs.requestCancel(run.id, { ...cancelDrafts(), ending });

      expect(result).toMatchObject({ run: { status: 'running' }, recorded: false, isStale: true });
      expect(await readAll(events, run.id)).toHaveLength(3);
      expect((await runs.claim(claimRequest()))?.cancelRequested).toBe(false);
    });

    test('asks nobody who holds the run how it would have ended', async () => {
      const { runs } = await openRig(open);
      const { run } = await claimNewRun(runs);
      const ending = { atSeq: 0, results: [], effects: [], end: CANCELLED };

      const result = await runs.requestCancel(run.id, { ...cancelDrafts(), ending });

      expect(result).toEqual({ run: { ...run, status: 'cancelling', lastSeq: 3 }, recorded: true });
    });

    test('records a second wish only once', async () => {
      const { runs, events } = await openRig(open);
      const { run } = await claimNewRun(runs);
      await runs.requestCancel(run.id, cancelDrafts());

      const again = await runs.requestCancel(run.id, cancelDrafts());

      expect(again).toMatchObject({ run: { status: 'cancelling', lastSeq: 3 }, recorded: false });
      expect(await readAll(events, run.id)).toHaveLength(3);
    });

    test.each(['completed', 'failed', 'cancelled'] as const)(
      'changes nothing in a %s run',
      async (status) => {
        const { runs, events } = await openRig(open);
        const { run, lease } = await claimNewRun(runs);
        await finishRun(runs, lease, { ...COMPLETED, status });
        const ended = await runs.find(run.id);

        const result = await runs.requestCancel(run.id, cancelDrafts());

        expect(result).toEqual({ run: ended, recorded: false });
        expect(await readAll(events, run.id)).toHaveLength(3);
      },
    );

    test('refuses to cancel a run that does not exist', async () => {
      const { runs } = await openRig(open);

      const result = runs.requestCancel('run_unknown' as RunId, cancelDrafts());

      await expect(result).rejects.toMatchObject({ name: 'RuntimeError', code: 'not_found' });
    });

    test('hands a cancelling run to the next runner with the wish', async () => {
      const { runs, events, clock } = await openRig(open);
      const { run } = await claimNewRun(runs, 'runner-a');
      await runs.requestCancel(run.id, cancelDrafts());
      clock.advance(LEASE_MS);

      const taken = await runs.claim(claimRequest({ owner: 'runner-b' }));

      expect(taken).toMatchObject({
        run: { id: run.id, status: 'cancelling' },
        resumed: true,
        cancelRequested: true,
      });
      expect(typesOf(await readAll(events, run.id)).at(-1)).toBe('run.recovered');
    });

    test('leaves a run whose lease ran out to the next runner: its holder may still be at work', async () => {
      const { runs, clock } = await openRig(open);
      const { run } = await claimNewRun(runs, 'runner-a');
      clock.advance(LEASE_MS * 2);

      const result = await runs.requestCancel(run.id, cancelDrafts());

      expect(result).toMatchObject({ run: { status: 'cancelling' }, recorded: true });
      const taken = await claimOnly(runs, run.id, 'runner-b');
      expect(taken.run.status).toBe('cancelling');
    });

    test('ends a run once when a cancel races its completion', async () => {
      const { runs, events, openBeside } = await openRig(open);
      const beside = await openBeside();
      const held = await Promise.all(Array.from({ length: 20 }, () => claimNewRun(runs)));

      await Promise.all(
        held.flatMap(({ run, lease }, index) => {
          const finish = () => runs.finish(lease, [draft('run.completed')], COMPLETED);
          const cancel = () => beside.runs.requestCancel(run.id, cancelDrafts());
          return index % 2 === 0 ? [finish(), cancel()] : [cancel(), finish()];
        }),
      );

      for (const { run } of held) {
        const log = await readAll(events, run.id);
        expect(log.filter(isTerminalEvent)).toHaveLength(1);
        expect(log.at(-1)?.type).toBe('run.completed');
        expect((await runs.find(run.id))?.status).toBe('completed');
      }
    });

    test('lets a claim or a cancel win a queued run, never both halves', async () => {
      const { runs, events, openBeside } = await openRig(open);
      const beside = await openBeside();
      const queued = await Promise.all(Array.from({ length: 20 }, () => createRun(runs)));

      await Promise.all(
        queued.flatMap(({ id }) => [
          runs.claim(claimRequest({ only: id })),
          beside.runs.requestCancel(id, cancelDrafts()),
        ]),
      );

      for (const { id } of queued) {
        const types = typesOf(await readAll(events, id)).join(' ');
        expect([
          'run.created run.started run.cancel_requested',
          'run.created run.cancel_requested run.cancelled',
        ]).toContain(types);
        const expected = types.endsWith('run.cancelled') ? 'cancelled' : 'cancelling';
        expect((await runs.find(id))?.status).toBe(expected);
      }
    });
  });
}
