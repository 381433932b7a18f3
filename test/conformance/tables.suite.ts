import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/core/agents/stored-agents.ts';
import { RuntimeError } from '../../src/core/errors.ts';
import type { AgentId, LeaseId, RequestId } from '../../src/core/ids.ts';
import { CALLS, type CallRow, RECENT_CALLS } from '../../src/core/integrations/stored-calls.ts';
import { MAIL_OF_KEY } from '../../src/core/mail/stored-mail.ts';
import { BREAKERS } from '../../src/core/reliability/breakers/stored-breakers.ts';
import { type Change, expire, patch, put, remove } from '../../src/core/store/change.ts';
import { ask, count, find, list } from '../../src/core/store/need.ts';
import type { Tables } from '../../src/core/store/tables.ts';
import { defineWrite } from '../../src/core/store/write.ts';

/** On an empty, migrated database, which is closed when the test ends. */
export type OpenTables = (nowMs: () => number) => Promise<Tables>;

const NOW_MS = 1_800_000_000_000;

const ROW: CallRow = {
  scope: 'run_1',
  callId: 'a',
  digest: 'd',
  requestId: 'req_1' as RequestId,
  integrationId: 'github',
  owner: 'user:1',
  claimId: 'lease_1' as LeaseId,
  leaseUntilMs: 1,
  openedAtMs: 2,
  expiresAtMs: 3,
  isFinal: false,
  result: { deep: ['🦀', null, 1.5] },
};

const AGENT = {
  id: 'agent_a' as AgentId,
  slug: 'ada',
  name: 'Ada',
  role: '',
  model: undefined,
  instructions: '',
  personalityTemplate: undefined,
  voiceId: undefined,
  skills: ['browser'],
  memoryAccess: 'private' as const,
  status: 'idle' as const,
  createdAtMs: 0,
  updatedAtMs: 0,
};

/** Changes what a test says, by no rule at all. */
const store = defineWrite({
  name: 'test.store',
  locks: () => ['test'],
  needs: (_changes: readonly Change[]) => ({}),
  decide: (_found, changes) => ({ value: undefined, changes }),
});

const calls = (...callIds: string[]) => callIds.map((callId) => put(CALLS, { ...ROW, callId }));
const namesOf = (rows: readonly CallRow[]) => rows.map(({ callId }) => callId);

/** What every engine does for the nouns that are declared once, on tables of theirs. */
export function describeTables(engine: string, open: OpenTables): void {
  describe(`tables on ${engine}`, () => {
    const openTables = () => open(() => NOW_MS);

    test('a row comes back as it was put, whatever it holds', async () => {
      const { load, write } = await openTables();
      const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
      const text = fc.oneof(fc.string({ unit }), fc.constantFrom('\0', '\ud83e', '🦀', '"\\'));
      const rows: fc.Arbitrary<CallRow[]> = fc.array(
        fc.record({
          ...ROW_ARBITRARY,
          owner: text,
          claimId: fc.constantFrom(undefined, ROW.claimId, '🦀' as LeaseId),
          leaseUntilMs: fc.maxSafeInteger(),
          expiresAtMs: fc.option(fc.maxSafeInteger(), { nil: undefined }),
          isFinal: fc.boolean(),
          result: fc.option(fc.dictionary(text, text), { nil: undefined }),
        }) as fc.Arbitrary<CallRow>,
        { maxLength: 20 },
      );

      await fc.assert(
        fc.asyncProperty(rows, text, async (given, scope) => {
          const named = given.map((row, no) => ({ ...row, scope, callId: `${no + 100}` }));
          await write(
            store,
            named.map((row) => put(CALLS, row)),
          );

          const limit = named.length;
          expect(await load(list(CALLS, { of: { scope }, limit }))).toEqual(named);
        }),
        { numRuns: 15 },
      );
    });

    test('lists those of a value, or of none, in the order of their keys', async () => {
      const { load, write } = await openTables();
      const free = { ...ROW, claimId: undefined };
      await write(store, [
        ...calls('c', 'a'),
        put(CALLS, { ...free, callId: 'd' }),
        put(CALLS, { ...free, callId: 'b', scope: 'run_0' }),
      ]);

      const ofScope = await load(list(CALLS, { of: { scope: 'run_1' }, limit: 9 }));
      const unclaimed = await load(list(CALLS, { of: { claimId: undefined }, limit: 9 }));
      const all = await load(list(CALLS, { limit: 3 }));
      const one = await load(list(CALLS, { of: { scope: 'run_1', callId: 'c' }, limit: 9 }));

      expect(namesOf(ofScope)).toEqual(['a', 'c', 'd']);
      expect(namesOf(unclaimed)).toEqual(['b', 'd']);
      expect(namesOf(all)).toEqual(['b', 'a', 'c']);
      expect(one).toEqual([{ ...ROW, callId: 'c' }]);
    });

    test('lists those after a key, and those among some', async () => {
      const { load, write } = await openTables();
      await write(store, [
        ...calls('a', 'b', 'c\0', 'd'),
        ...['a', 'b\0', '\0'].map((key) => put(BREAKERS, { key, version: 1, state: {} })),
      ]);
      const of = { scope: 'run_1' };

      const after = await load(list(CALLS, { of, after: 'a', limit: 2 }));
      const among = await load(list(CALLS, { of, among: ['d', 'a', 'c\0', 'x'], limit: 9 }));
      const both = await load(list(CALLS, { of, after: 'b', among: ['d', 'a'], limit: 9 }));
      const none = await load(list(CALLS, { of, among: [], limit: 9 }));
      const keys = await load(list(BREAKERS, { after: '\0', among: ['\0', 'b\0'], limit: 9 }));

      expect([after, among, both, none].map(namesOf)).toEqual([
        ['b', 'c\0'],
        ['a', 'c\0', 'd'],
        ['d'],
        [],
      ]);
      expect(keys.map(({ key }) => key)).toEqual(['b\0']);
    });

    test('counts no further than it is told', async () => {
      const { load, write } = await openTables();
      await write(store, [...calls('a', 'b', 'c'), patch(CALLS, ROW, { claimId: undefined })]);

      expect(await load(count(CALLS, { max: 2 }))).toBe(2);
      expect(await load(count(CALLS, { max: 9 }))).toBe(3);
      expect(await load(count(CALLS, { of: { claimId: undefined }, max: 9 }))).toBe(1);
      expect(await load(count(CALLS, { max: 0 }))).toBe(0);
    });

    test('patches what it is given, to nothing too, and makes no row', async () => {
      const { load, write } = await openTables();
      const key = { scope: 'run_1', callId: 'a' };
      await write(store, calls('a', 'b'));

      await write(store, [
        patch(CALLS, key, { claimId: undefined, result: undefined, isFinal: true }),
        patch(CALLS, { ...key, callId: 'b' }, {}),
        patch(CALLS, { ...key, callId: 'z' }, { isFinal: true }),
      ]);

      expect(await load(list(CALLS, { limit: 9 }))).toEqual([
        { ...ROW, claimId: undefined, result: undefined, isFinal: true },
        { ...ROW, callId: 'b' },
      ]);
    });

    test('changes in the order of the changes: the last word on a key counts', async () => {
      const { load, write } = await openTables();
      const as = (digest: string) => put(CALLS, { ...ROW, digest });

      await write(store, [as('one'), ...calls('b'), as('two')]);
      const last = await load(find(CALLS, ROW));
      await write(store, [as('three'), remove(CALLS, ROW)]);
      const removed = await load(find(CALLS, ROW));
      await write(store, [remove(CALLS, ROW), as('four'), patch(CALLS, ROW, { digest: 'five' })]);

      expect(last?.digest).toBe('two');
      expect(removed).toBeUndefined();
      expect((await load(find(CALLS, ROW)))?.digest).toBe('five');
    });

    test('lets go of the oldest that are past, so many of them, and of none without a moment', async () => {
      const { load, write } = await openTables();
      const moments = { a: 5, b: undefined, c: 3, d: 6, e: 4, f: 7 };
      await write(
        store,
        Object.entries(moments).map(([callId, at]) =>
          put(CALLS, { ...ROW, callId, expiresAtMs: at }),
        ),
      );
      const past = { by: 'expiresAtMs', untilMs: 6, max: 2 } as const;

      await write(store, [expire(CALLS, past)]);
      const once = await load(list(CALLS, { limit: 9 }));
      await write(store, [expire(CALLS, { ...past, max: 9 })]);

      expect(namesOf(once)).toEqual(['a', 'b', 'd', 'f']);
      expect(namesOf(await load(list(CALLS, { limit: 9 })))).toEqual(['b', 'f']);
    });

    test.each(['agent_a\0', 'agent_\ud83e'])(
      'finds nothing by an id such as %j, and stores none',
      async (text) => {
        const { load, write } = await openTables();
        const id = text as AgentId;
        // What a driver would make of half a character.
        const agent = { ...AGENT, id: 'agent_\ufffd' as AgentId };
        await write(store, [put(AGENTS, agent)]);

        const putting = write(store, [
          put(AGENTS, { ...agent, name: 'Bo' }),
          put(AGENTS, { ...agent, id }),
        ]);

        await expect(putting).rejects.toMatchObject({ code: 'invalid_input' });
        expect(await load(find(AGENTS, { id }))).toBeUndefined();
        expect(await load(list(AGENTS, { of: { id }, limit: 9 }))).toEqual([]);
        expect(await load(list(AGENTS, { among: [id, agent.id], limit: 9 }))).toEqual([agent]);
        expect(await load(count(AGENTS, { of: { id }, max: 9 }))).toBe(0);
        expect(await load(ask(MAIL_OF_KEY, { key: id }))).toEqual([]);
      },
    );

    test('asks by the time of the store', async () => {
      const { load, write } = await openTables();
      const opened = [NOW_MS - 11, NOW_MS - 10, NOW_MS - 9, NOW_MS];
      await write(
        store,
        opened.map((openedAtMs, no) => put(CALLS, { ...ROW, callId: `${no}`, openedAtMs })),
      );
      const { scope, integrationId, owner } = ROW;
      const params = { scope, integrationId, owner, windowMs: 10, max: 9 };

      expect(await load(ask(RECENT_CALLS, { ...params, callId: 'new' }))).toEqual([{ calls: 2 }]);
      expect(await load(ask(RECENT_CALLS, { ...params, callId: '3' }))).toEqual([{ calls: 1 }]);
    });

    test('loads what a write needs, and a refusal changes nothing', async () => {
      const { load, write } = await openTables();
      await write(store, calls('a'));
      const refuse = defineWrite({
        name: 'test.refuse',
        locks: () => ['test'],
        needs: (key: { scope: string; callId: string }) => ({
          known: find(CALLS, key),
          calls: count(CALLS, { max: 9 }),
        }),
        decide: ({ known, calls: counted }, _key, nowMs) => {
          throw new RuntimeError('conflict', `${known?.digest} ${counted} ${nowMs}`);
        },
      });

      await expect(write(refuse, ROW)).rejects.toThrow(`d 1 ${NOW_MS}`);
      expect(await load(list(CALLS, { limit: 9 }))).toEqual([ROW]);
    });
  });
}

const ROW_ARBITRARY = Object.fromEntries(
  Object.entries(ROW).map(([field, value]) => [field, fc.constant<unknown>(value)]),
);
