import { describe, expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import { NO_TOTALS } from '../../../src/core/runs/run.ts';
import type { CreateOptions, CreateResult } from '../../../src/core/runs/run-store.ts';
import {
  AGENT,
  claimRequest,
  createRun,
  draft,
  LEASE_MS,
  MANY,
  newRun,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';
import { newSession } from '../sessions/session-rig.ts';

export function describeCreates(engine: string, open: OpenStorage): void {
  describe(`RunStore.create on ${engine}`, () => {
    test('stores the run with its first event and finds it again', async () => {
      const { runs, events, clock } = await openRig(open);
      const run = newRun({ source: 'cli', message: 'do it' });

      const result = await runs.create(run, [draft('run.created', { source: 'cli' })], {
        maxQueued: MANY,
      });

      const stored = {
        id: run.id,
        agentId: AGENT,
        owner: 'operator',
        sessionId: undefined,
        exchange: undefined,
        source: 'cli',
        status: 'queued',
        message: 'do it',
        lastSeq: 1,
        output: undefined,
        stopReason: undefined,
        error: undefined,
        provider: undefined,
        model: undefined,
        totals: NO_TOTALS,
        createdAtMs: clock.nowMs(),
        startedAtMs: undefined,
        updatedAtMs: clock.nowMs(),
        endedAtMs: undefined,
      };
      expect(result).toEqual({ outcome: 'created', run: stored, lease: undefined });
      expect(await runs.find(run.id)).toEqual(stored);
      expect(typesOf(await readAll(events, run.id))).toEqual(['run.created']);
    });

    test('keeps the project of a run and lists by it', async () => {
      const { runs } = await openRig(open);
      const run = newRun({ projectId: 'proj 001/α' });
      await runs.create(run, [draft('run.created')], { maxQueued: MANY });
      await runs.create(newRun({ projectId: 'other' }), [draft('run.created')], {
        maxQueued: MANY,
      });
      await runs.create(newRun({}), [draft('run.created')], { maxQueued: MANY });

      const found = await runs.find(run.id);
      const listed = await runs.list({ projectId: 'proj 001/α', limit: 10 });

      expect(found?.projectId).toBe('proj 001/α');
      expect(listed.runs).toEqual([found]);
    });

    test('finds nothing under an unknown id', async () => {
      const { runs } = await openRig(open);

      expect(await runs.find('run_unknown' as RunId)).toBeUndefined();
    });

    test('creates a run that is claimed already', async () => {
      const { runs, events, clock } = await openRig(open);
      const run = newRun();

      const result = await runs.create(run, [draft('run.created')], {
        maxQueued: MANY,
        lease: { owner: 'cli-1', leaseMs: LEASE_MS, started: draft('run.started') },
      });

      expect(result).toMatchObject({
        outcome: 'created',
        run: { status: 'running', lastSeq: 2, startedAtMs: clock.nowMs() },
        lease: { runId: run.id, expiresAtMs: clock.nowMs() + LEASE_MS },
      });
      expect(typesOf(await readAll(events, run.id))).toEqual(['run.created', 'run.started']);
      expect(await runs.claim(claimRequest())).toBeUndefined();
    });

    test('refuses an id that is taken and leaves the first run alone', async () => {
      const { runs, events } = await openRig(open);
      const first = await createRun(runs, { message: 'first' });

      const second = runs.create(newRun({ id: first.id }), [draft('run.created')], {
        maxQueued: MANY,
      });

      await expect(second).rejects.toMatchObject({ name: 'RuntimeError', code: 'conflict' });
      expect(await runs.find(first.id)).toEqual(first);
      expect(await readAll(events, first.id)).toHaveLength(1);
    });

    test('says that an id is taken before it looks for room: what is full may be so by that run', async () => {
      const { runs, storage } = await openRig(open);
      const session = await newSession(storage);
      const run = newRun({ sessionId: session.id });
      const create = (options: Partial<CreateOptions> = {}) =>
        runs.create(run, [draft('run.created')], { maxQueued: MANY, ...options });
      await create();
      const outcomeOf = (creation: Promise<CreateResult>) =>
        creation.then(
          ({ outcome }) => outcome,
          ({ message }: Error) => message,
        );

      const outcomes = [
        await outcomeOf(create({ maxWaitingInSession: 1 })),
        await outcomeOf(create({ maxQueued: 1 })),
      ];
      await storage.sessions.close(session.id);
      outcomes.push(await outcomeOf(create()));

      expect(outcomes).toEqual(Array(3).fill(`run ${run.id} exists already`));
    });

    test('refuses a run once the queue is full and takes it when there is room again', async () => {
      const { runs } = await openRig(open);
      await createRun(runs);
      await createRun(runs);

      const refused = await runs.create(newRun(), [draft('run.created')], { maxQueued: 2 });

      expect(refused).toEqual({ outcome: 'queue_full' });
      expect((await runs.list({ limit: 10 })).runs).toHaveLength(2);
      await runs.claim(claimRequest());
      const accepted = await runs.create(newRun(), [draft('run.created')], { maxQueued: 2 });
      expect(accepted.outcome).toBe('created');
    });

    test('never exceeds the queue limit under concurrent creates', async () => {
      const { runs } = await openRig(open);

      const results = await Promise.all(
        Array.from({ length: 20 }, () =>
          runs.create(newRun(), [draft('run.created')], { maxQueued: 5 }),
        ),
      );

      const outcomes = results.map((result) => result.outcome).sort();
      expect(outcomes).toEqual([...Array(5).fill('created'), ...Array(15).fill('queue_full')]);
      expect((await runs.countByStatus()).queued).toBe(5);
    });

    test('answers the same key and digest with the first run, even when the queue is full', async () => {
      const { runs, events } = await openRig(open);
      const idempotency = { key: 'order-1', digest: 'digest-a' };
      const first = await createRun(runs, { message: 'first' }, { idempotency });

      const again = await runs.create(newRun({ message: 'again' }), [draft('run.created')], {
        maxQueued: 0,
        idempotency,
      });

      expect(again).toEqual({ outcome: 'replayed', run: first });
      expect((await runs.list({ limit: 10 })).runs).toEqual([first]);
      expect(await readAll(events, first.id)).toHaveLength(1);
    });

    test('answers the same key with another digest as a conflict', async () => {
      const { runs } = await openRig(open);
      const first = await createRun(runs, {}, { idempotency: { key: 'k', digest: 'a' } });

      const other = await runs.create(newRun(), [draft('run.created')], {
        maxQueued: MANY,
        idempotency: { key: 'k', digest: 'b' },
      });

      expect(other).toEqual({ outcome: 'conflict' });
      expect((await runs.list({ limit: 10 })).runs).toEqual([first]);
    });

    test('makes one run out of 64 concurrent creates with one key', async () => {
      const { runs, events, openBeside } = await openRig(open);
      const beside = await openBeside();

      const results = await Promise.all(
        Array.from({ length: 64 }, (_, index) =>
          (index % 2 === 0 ? runs : beside.runs).create(newRun(), [draft('run.created')], {
            maxQueued: MANY,
            idempotency: { key: 'same', digest: 'same' },
          }),
        ),
      );

      const outcomes = results.map((result) => result.outcome).sort();
      expect(outcomes).toEqual(['created', ...Array(63).fill('replayed')]);
      const ids = new Set(results.map((result) => 'run' in result && result.run.id));
      expect(ids.size).toBe(1);
      const listed = (await runs.list({ limit: 10 })).runs;
      expect(listed.map((run) => run.id)).toEqual([...ids]);
      expect(await readAll(events, listed[0]!.id)).toHaveLength(1);
    });

    test('keeps a key over a reopen', async () => {
      const { runs, reopen } = await openRig(open);
      const idempotency = { key: 'k', digest: 'a' };
      const first = await createRun(runs, {}, { idempotency });

      const reopened = await reopen();
      const again = await reopened.runs.create(newRun(), [draft('run.created')], {
        maxQueued: MANY,
        idempotency,
      });

      expect(again).toEqual({ outcome: 'replayed', run: first });
    });
  });
}
