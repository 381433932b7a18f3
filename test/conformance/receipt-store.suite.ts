import { describe, expect, test } from 'vitest';
import { createIds } from '../../src/core/create-ids.ts';
import type { LeaseId, RequestId } from '../../src/core/ids.ts';
import type { CallRef, NewCall } from '../../src/core/integrations/receipt-store.ts';
import { type OpenStorage, openRig } from './harness.ts';

const ids = createIds(() => Date.now());
const REF: CallRef = { scope: 'run_1', callId: 'call_1' };
const RESULT = { state: 'succeeded', text: 'a\0b' };

function newCall(overrides: Partial<NewCall> = {}): NewCall {
  return {
    ...REF,
    claimId: ids.lease(),
    requestId: ids.request(),
    digest: 'digest-1',
    integrationId: 'github.primary',
    owner: 'user:1',
    leaseMs: 10_000,
    windowMs: 60_000,
    ...overrides,
  };
}

const opened = (requestId: RequestId, facts: object = {}) => ({
  outcome: 'opened',
  requestId,
  isResumed: false,
  recentCalls: 0,
  ...facts,
});

export function describeReceiptStore(engine: string, open: OpenStorage): void {
  describe(`ReceiptStore on ${engine}`, () => {
    test('answers a call that has ended with its end, also after a restart', async () => {
      const rig = await openRig(open);
      const call = newCall();

      expect(await rig.storage.receipts.open(call)).toEqual(opened(call.requestId));
      expect(await rig.storage.receipts.find(REF)).toEqual({
        digest: 'digest-1',
        result: undefined,
      });
      const end = { result: RESULT, isFinal: true };
      expect(await rig.storage.receipts.settle(call, end)).toBe(true);
      const { receipts } = await rig.reopen();

      expect(await receipts.open(newCall())).toEqual({ outcome: 'settled', result: RESULT });
      expect(await receipts.find(REF)).toEqual({ digest: 'digest-1', result: RESULT });
      expect(await receipts.find({ ...REF, callId: 'call_2' })).toBeUndefined();
    });

    test('refuses another request under the same id, whether the first has ended or not', async () => {
      const { receipts } = (await openRig(open)).storage;
      const call = newCall();
      await receipts.open(call);

      const early = await receipts.open(newCall({ digest: 'digest-2' }));
      await receipts.settle(call, { result: RESULT, isFinal: true });
      const late = await receipts.open(newCall({ digest: 'digest-2' }));

      expect([early, late]).toEqual([{ outcome: 'conflict' }, { outcome: 'conflict' }]);
    });

    test('lets one of many have a call, on every connection', async () => {
      const rig = await openRig(open);
      const beside = await rig.openBeside();

      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? rig.storage : beside).receipts.open(newCall()),
        ),
      );

      expect(results.filter(({ outcome }) => outcome === 'opened')).toHaveLength(1);
      expect(results.filter(({ outcome }) => outcome === 'busy')).toEqual(
        Array.from({ length: 19 }, () => ({ outcome: 'busy', leaseLeftMs: 10_000 })),
      );
    });

    test('hands an abandoned call over under its first request id, and fences the first one off', async () => {
      const { storage, clock } = await openRig(open);
      const first = newCall();
      const second = newCall();
      await storage.receipts.open(first);
      clock.advance(6_000);
      expect(await storage.receipts.renew(first, 10_000)).toBe(true);
      clock.advance(9_999);
      const early = await storage.receipts.open(second);
      clock.advance(1);

      const late = await storage.receipts.open(second);

      expect(early).toEqual({ outcome: 'busy', leaseLeftMs: 1 });
      expect(late).toEqual(opened(first.requestId, { isResumed: true }));
      const end = { result: RESULT, isFinal: true };
      expect(await storage.receipts.renew(first, 10_000)).toBe(false);
      expect(await storage.receipts.settle(first, end)).toBe(false);
      await storage.receipts.release(first);
      expect(await storage.receipts.settle(second, end)).toBe(true);
    });

    test('lets a call that was not made be claimed anew, and shows its old end until the next', async () => {
      const { receipts } = (await openRig(open)).storage;
      const first = newCall();
      const second = newCall();
      await receipts.open(first);
      await receipts.settle(first, { result: RESULT, isFinal: false });

      const again = await receipts.open(second);

      expect(again).toEqual(opened(second.requestId));
      expect((await receipts.find(REF))?.result).toEqual(RESULT);
      await receipts.release(second);
      expect((await receipts.find(REF))?.result).toEqual(RESULT);
    });

    test('forgets a claim that is released before any end', async () => {
      const { receipts } = (await openRig(open)).storage;
      const call = newCall();
      await receipts.open(call);

      await receipts.release({ ...call, claimId: 'lease_other' as LeaseId });
      expect(await receipts.find(REF)).toBeDefined();
      await receipts.release(call);

      expect(await receipts.find(REF)).toBeUndefined();
    });

    test('counts the other calls of the owner and integration that were made within the window', async () => {
      const { storage, clock } = await openRig(open);
      const { receipts } = storage;
      const begin = async (callId: string, overrides: Partial<NewCall> = {}) => {
        const call = newCall({ callId, ...overrides });
        const result = await receipts.open(call);
        return { call, recent: result.outcome === 'opened' ? result.recentCalls : result.outcome };
      };
      await begin('old');
      clock.advance(60_000);
      const refused = await begin('refused');
      await receipts.settle(refused.call, { result: RESULT, isFinal: false });
      const made = await begin('made');
      await receipts.settle(made.call, { result: RESULT, isFinal: true });
      await begin('running');
      await begin('of another', { owner: 'user:2' });
      await begin('with another', { integrationId: 'github.custom' });

      expect(refused.recent).toBe(0);
      expect(made.recent).toBe(0);
      expect((await begin('next')).recent).toBe(2);
    });

    test('takes a call whose time is over for one that never was', async () => {
      const rig = await openRig(open);
      const { receipts } = rig.storage;
      const first = newCall({ keepMs: 1_000 });
      await receipts.open(first);
      await receipts.settle(first, { result: RESULT, isFinal: true });
      rig.clock.advance(1_000);

      const other = newCall({ digest: 'digest-2' });

      expect(await receipts.open(other)).toMatchObject(opened(other.requestId));
    });

    test('removes a row that is kept for a while, with a later call', async () => {
      const { storage, clock } = await openRig(open);
      const short = { scope: 'user:1', callId: 'call_1' };
      const call = newCall({ ...short, keepMs: 1_000 });
      await storage.receipts.open(call);
      await storage.receipts.settle(call, { result: RESULT, isFinal: true });
      const kept = newCall();
      await storage.receipts.open(kept);
      clock.advance(1_000);

      await storage.receipts.open(newCall({ callId: 'call_2' }));

      expect(await storage.receipts.find(short)).toBeUndefined();
      expect(await storage.receipts.find(REF)).toBeDefined();
    });
  });
}
