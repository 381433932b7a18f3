import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import type { LeaseId, RequestId } from '../ids.ts';
import type { NewCall } from './receipt-store.ts';
import { CALLS, type CallRow, createReceiptStore, RECENT_CALLS } from './stored-calls.ts';

const STUBS = [
  stubQuery(RECENT_CALLS, ({ windowMs, max, ...call }, { rows, nowMs }) => {
    const counted = rows(CALLS).filter(
      (row) =>
        row.integrationId === call.integrationId &&
        row.owner === call.owner &&
        row.openedAtMs > nowMs - windowMs &&
        (row.claimId !== undefined || row.isFinal) &&
        !(row.scope === call.scope && row.callId === call.callId),
    );
    return [{ calls: Math.min(max, counted.length) }];
  }),
];

const CALL_IDS = ['one', 'two\0'];

const step = fc.record({
  does: fc.constantFrom('open', 'open', 'renew', 'settle', 'release'),
  callId: fc.constantFrom(...CALL_IDS),
  /** Which of those who asked for it does this: the newest, or one before. */
  back: fc.constantFrom(0, 0, 1, 2),
  digest: fc.constantFrom('same', 'same', 'same', 'other'),
  isFinal: fc.boolean(),
  leaseMs: fc.integer({ min: 1, max: 20 }),
  passedMs: fc.nat(12),
});

function openStore() {
  const tables = createMemoryTables(STUBS);
  const rowOf = (callId: string) => tables.rows(CALLS).find((row) => row.callId === callId);
  return { store: createReceiptStore(tables), clock: tables.clock, rowOf, tables };
}

let made = 0;
function newCall(facts: Partial<NewCall> = {}): NewCall {
  made += 1;
  const claimId = `lease_${made}` as LeaseId;
  const requestId = `req_${made}` as RequestId;
  const common = { scope: 'run_1', callId: 'one', digest: 'same', integrationId: 'i', owner: 'o' };
  return { ...common, claimId, requestId, leaseMs: 10, windowMs: 1_000, ...facts };
}

/** What openers are told by a row. */
function expectedOutcome(row: CallRow | undefined, call: NewCall, nowMs: number) {
  if (!row) return 'opened';
  if (row.digest !== call.digest) return 'conflict';
  if (row.claimId !== undefined) return row.leaseUntilMs > nowMs ? 'busy' : 'opened';
  return row.isFinal ? 'settled' : 'opened';
}

test('a call has one live claim, and only who has it changes the call', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { store, clock, rowOf } = openStore();
      const asked: NewCall[] = [];
      /** As long as it lasts, nobody else gets the call. */
      const live = new Map<string, { claimId: LeaseId; untilMs: number }>();
      const ends = new Map<string, object>();
      for (const { does, callId, back, digest, isFinal, leaseMs, passedMs } of steps) {
        clock.advance(passedMs);
        const row = rowOf(callId);
        if (does === 'open') {
          const call = newCall({ callId, digest, leaseMs });
          const result = await store.open(call);

          expect(result.outcome).toBe(expectedOutcome(row, call, clock.nowMs()));
          if (result.outcome === 'settled') expect(result.result).toEqual(ends.get(callId));
          if (result.outcome !== 'opened') {
            expect(rowOf(callId)).toEqual(row);
            continue;
          }
          expect(live.get(callId)?.untilMs ?? 0).toBeLessThanOrEqual(clock.nowMs());
          expect(ends.has(callId)).toBe(false);
          // Whoever takes over goes on under the name of the first request.
          expect(result.isResumed).toBe(row?.claimId !== undefined);
          expect(result.requestId).toBe(result.isResumed ? row?.requestId : call.requestId);
          live.set(callId, { claimId: call.claimId, untilMs: clock.nowMs() + leaseMs });
          asked.push(call);
          continue;
        }
        const claim = asked.filter((call) => call.callId === callId).at(-1 - back);
        if (!claim) continue;
        const isOwn = live.get(callId)?.claimId === claim.claimId;
        const result = { made };
        if (does === 'renew') expect(await store.renew(claim, leaseMs)).toBe(isOwn);
        if (does === 'settle') expect(await store.settle(claim, { isFinal, result })).toBe(isOwn);
        if (does === 'release') await store.release(claim);

        if (!isOwn) expect(rowOf(callId)).toEqual(row);
        else if (does === 'renew')
          live.set(callId, { claimId: claim.claimId, untilMs: clock.nowMs() + leaseMs });
        else live.delete(callId);
        if (isOwn && does === 'settle' && isFinal) ends.set(callId, result);
      }
      for (const [callId, result] of ends)
        expect(await store.find({ scope: 'run_1', callId })).toMatchObject({ result });
    }),
  );
});

test('a claim that is released leaves nothing that anybody could tell', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.nat(30), async (wasRefused, passedMs) => {
      const { store, clock } = openStore();
      const refused = newCall();
      if (wasRefused) {
        await store.open(refused);
        await store.settle(refused, { isFinal: false, result: { why: 'not made' } });
      }
      const before = await store.find(refused);
      const call = newCall();
      await store.open(call);
      clock.advance(passedMs);

      await store.release(call);

      expect(await store.find(call)).toEqual(before);
      const beside = await store.open(newCall({ callId: 'beside' }));
      const again = newCall({ digest: wasRefused ? 'same' : 'another' });
      expect(beside).toMatchObject({ recentCalls: 0 });
      expect(await store.open(again)).toMatchObject({
        outcome: 'opened',
        isResumed: false,
        requestId: again.requestId,
      });
    }),
  );
});

test('calls go after their time, a hundred with each new one, and those without one stay', async () => {
  const { store, clock, tables } = openStore();
  const ended = { claimId: undefined, leaseUntilMs: 0, openedAtMs: 0, isFinal: true, result: {} };
  const { leaseMs: _, windowMs: __, ...call } = newCall();
  const old = Array.from({ length: 160 }, (_row, no) => ({
    ...call,
    ...ended,
    callId: `old_${no}`,
    expiresAtMs: no % 2 === 0 ? clock.nowMs() - 149 + no : undefined,
  }));
  tables.seed(CALLS, [...old, ...old.map((row) => ({ ...row, scope: 'run_2' }))]);
  const left = () => tables.rows(CALLS).filter(({ callId }) => callId.startsWith('old'));
  const isPast = ({ expiresAtMs = Infinity }) => expiresAtMs <= clock.nowMs();

  await store.open(newCall({ keepMs: 5 }));
  expect(left().filter(isPast).length).toBe(150 - 100);

  await store.open(newCall({ callId: 'b' }));
  expect(left().filter(isPast)).toEqual([]);
  expect(left().length).toBe(320 - 150);
});
