import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables } from '../../../test/support/memory-tables.ts';
import { ACCOUNTS } from './account.ts';
import { boundOf, type WantedCall } from './reserve.ts';
import { giveSpent, RUN_LEDGERS } from './run-ledger.ts';
import { type BudgetScope, dayOf, nameAccount, nameScope } from './scope.ts';
import { NOTHING_SPENT, type Spent } from './spent.ts';
import { type CostStore, createCostStore } from './stored-costs.ts';

const HOUR_MS = 3_600_000;
const PRICE = { in: '3000000', out: '15000000' };

type Step =
  | { readonly do: 'call'; readonly run: number; readonly in: number; readonly out: number }
  /** The call ends: by what share of its bound, and whether the provider tells. */
  | { readonly do: 'end'; readonly run: number; readonly share: number; readonly isTold: boolean }
  /** The process dies and another goes on from the log, as far as that is durable. */
  | { readonly do: 'crash' | 'flush'; readonly run: number }
  | { readonly do: 'settle' | 'close'; readonly run: number }
  | { readonly do: 'wait'; readonly hours: number };

const RUNS = 4;
const run = fc.nat(RUNS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('call'),
    run,
    in: fc.integer({ min: 1, max: 300 }),
    out: fc.integer({ min: 1, max: 300 }),
  }),
  fc.record({
    do: fc.constant('end'),
    run,
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    isTold: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('crash', 'flush'), run }),
  fc.record({ do: fc.constantFrom('settle', 'close'), run }),
  fc.record({ do: fc.constant('wait'), hours: fc.integer({ min: 1, max: 20 }) }),
) as fc.Arbitrary<Step>;

const SCOPES: readonly BudgetScope[] = [
  { kind: 'project', projectId: 'p' },
  { kind: 'agent', agentId: 'a0' },
  { kind: 'day' },
  { kind: 'day', projectId: 'p' },
  { kind: 'day', agentId: 'a1' },
];

const caps = fc.record({
  scope: fc.constantFrom<BudgetScope>(...SCOPES, { kind: 'run' }),
  pico: fc.option(fc.integer({ min: 0, max: 9_000 }), { nil: undefined }),
  tokens: fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined }),
});

/** One process's view of a run, and what its calls really cost, told or not. */
interface Live {
  readonly owner: { readonly runId: string; readonly projectId?: string; readonly agentId: string };
  spent: Spent;
  /** As much of that as a crash leaves. */
  durable: Spent;
  call: { readonly wanted: WantedCall; readonly out: number } | undefined;
  isClosed: boolean;
}

interface World {
  readonly store: CostStore;
  readonly tables: ReturnType<typeof createMemoryTables>;
  readonly runs: readonly Live[];
  truePico: bigint;
  trueTokens: number;
}

function openWorld(): World {
  const tables = createMemoryTables();
  const runs = Array.from({ length: RUNS }, (_, index) => ({
    owner: {
      runId: `run_${index}`,
      agentId: `a${index % 2}`,
      ...(index < RUNS - 1 ? { projectId: 'p' } : {}),
    },
    spent: NOTHING_SPENT,
    durable: NOTHING_SPENT,
    call: undefined,
    isClosed: false,
  }));
  return { tables, store: createCostStore(tables), runs, truePico: 0n, trueTokens: 0 };
}

async function toSettle({ store, tables }: World, { owner, spent }: Live) {
  const [ledger] = await store.listLedgers([owner.runId]);
  const day = dayOf(tables.clock.nowMs());
  return { run: owner, spent: giveSpent(spent), day, heldDay: ledger?.heldDay };
}

async function take(world: World, given: Step): Promise<void> {
  if (given.do === 'wait') return world.tables.clock.advance(given.hours * HOUR_MS);
  const live = world.runs[given.run];
  if (!live || live.isClosed) return;
  switch (given.do) {
    case 'call': {
      // A process asks its next question when it has heard of the one before, or has lost it.
      if (live.call) return;
      const wanted: WantedCall = {
        tokensIn: given.in,
        tokensOut: given.out,
        minTokensOut: Math.min(10, given.out),
        price: PRICE,
        isPatient: false,
      };
      const defaults = { projectPico: undefined };
      const request = { ...(await toSettle(world, live)), wanted, defaults };
      const reserved = await world.store.reserve(request);
      if (reserved === 'stale') throw new Error('stale');
      if (reserved.outcome === 'granted') live.call = { wanted, out: reserved.tokensOut };
      return;
    }
    case 'end': {
      if (!live.call) return;
      const { wanted, out } = live.call;
      const tokensIn = Math.floor(wanted.tokensIn * given.share);
      const tokensOut = Math.floor(out * given.share);
      const { pico } = boundOf({ ...wanted, tokensIn }, tokensOut);
      spend(world, pico, tokensIn + tokensOut);
      const { spent } = live;
      live.spent = given.isTold
        ? {
            ...spent,
            attempts: spent.attempts + 1,
            pico: spent.pico + pico,
            tokensIn: spent.tokensIn + tokensIn,
            tokensOut: spent.tokensOut + tokensOut,
          }
        : {
            ...spent,
            attempts: spent.attempts + 1,
            tokenGaps: spent.tokenGaps + 1,
            costGaps: spent.costGaps + 1,
          };
      live.call = undefined;
      return;
    }
    case 'crash':
      if (live.call) {
        const { pico, tokensIn, tokensOut } = boundOf(live.call.wanted, live.call.out);
        spend(world, pico, tokensIn + tokensOut);
      }
      live.call = undefined;
      live.spent = live.durable;
      return;
    case 'flush':
      live.durable = live.spent;
      return;
    case 'settle':
      if (live.call) return;
      await world.store.settle(await toSettle(world, live));
      return;
    case 'close':
      if (live.call) return;
      await world.store.close([await toSettle(world, live)]);
      live.isClosed = true;
  }
}

function spend(world: World, pico: bigint, tokens: number): void {
  world.truePico += pico;
  world.trueTokens += tokens;
}

function assertCaps(
  { tables }: World,
  budgets: readonly (typeof caps extends fc.Arbitrary<infer Cap> ? Cap : never)[],
): void {
  const newest = new Map(budgets.map((budget) => [nameScope(budget.scope), budget]));
  for (const { scope, pico, tokens } of newest.values()) {
    const rows =
      scope.kind === 'run'
        ? tables.rows(RUN_LEDGERS).map((row) => ({ ...row, heldTokens: row.heldIn + row.heldOut }))
        : tables.rows(ACCOUNTS).filter(({ name }) => isOf(name, scope, tables.clock.nowMs()));
    for (const row of rows) {
      if (pico !== undefined) {
        expect(BigInt(row.pico) + BigInt(row.heldPico)).toBeLessThanOrEqual(BigInt(pico));
      }
      if (tokens !== undefined) {
        expect(row.tokensIn + row.tokensOut + row.heldTokens).toBeLessThanOrEqual(tokens);
      }
    }
  }
}

function isOf(name: string, scope: BudgetScope, nowMs: number): boolean {
  const days = Array.from({ length: 60 }, (_, back) => dayOf(nowMs - back * 24 * HOUR_MS));
  return days.some((day) => nameAccount(scope, day) === name);
}

/** All that was ever counted or is held, of all runs. */
function totals({ tables }: World) {
  const rows = tables.rows(RUN_LEDGERS);
  return {
    pico: rows.reduce((sum, row) => sum + BigInt(row.pico) + BigInt(row.heldPico), 0n),
    tokens: rows.reduce(
      (sum, row) => sum + row.tokensIn + row.tokensOut + row.heldIn + row.heldOut,
      0,
    ),
  };
}

test('no schedule of reserving, settling and crashing spends more than a cap', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(caps, { minLength: 1, maxLength: 4 }),
      fc.array(step, { minLength: 1, maxLength: 60 }),
      async (budgets, steps) => {
        const world = openWorld();
        for (const { scope, pico, tokens } of budgets) {
          await world.store.setBudget({ scope, pico: pico?.toString(), tokens });
        }
        for (const one of steps) {
          await take(world, one);
          assertCaps(world, budgets);
          // What is on the books is never less than what was really spent.
          if (one.do !== 'end') continue;
          await take(world, { do: 'settle', run: one.run });
        }
        for (let index = 0; index < RUNS; index += 1) {
          await take(world, { do: 'crash', run: index });
          await take(world, { do: 'close', run: index });
        }
        assertCaps(world, budgets);
        const counted = totals(world);
        expect(counted.pico).toBeGreaterThanOrEqual(world.truePico);
        expect(counted.tokens).toBeGreaterThanOrEqual(world.trueTokens);
        const held = world.tables
          .rows(ACCOUNTS)
          .filter((row) => row.heldPico !== '0' || row.heldTokens !== 0);
        expect(held).toEqual([]);
        expect(sumOf(world, 'day')).toEqual({ pico: counted.pico, tokens: counted.tokens });
      },
    ),
    { numRuns: 200 },
  );
});

/** Of the accounts of all days together, which every amount is counted in once. */
function sumOf({ tables }: World, kind: string) {
  const days = tables.rows(ACCOUNTS).filter(({ name }) => {
    const parts: string[] = JSON.parse(name);
    return parts[0] === kind && parts.length === 2;
  });
  return {
    pico: days.reduce((sum, row) => sum + BigInt(row.pico), 0n),
    tokens: days.reduce((sum, row) => sum + row.tokensIn + row.tokensOut, 0),
  };
}

const OWNER = { runId: 'run_1', projectId: 'p', agentId: 'a' };
const WANTED: WantedCall = {
  tokensIn: 100,
  tokensOut: 100,
  minTokensOut: 10,
  price: { in: '1000000', out: '1000000' },
  isPatient: true,
};
const PROJECT: BudgetScope = { kind: 'project', projectId: 'p' };

function ask(store: CostStore, runId: string, wanted: Partial<WantedCall> = {}) {
  return store.reserve({
    run: { ...OWNER, runId },
    spent: giveSpent(NOTHING_SPENT),
    day: '1970-01-01',
    heldDay: undefined,
    wanted: { ...WANTED, ...wanted },
    defaults: { projectPico: undefined },
  });
}

test('lets a call wait for those under way, shrinks it, and refuses it', async () => {
  const store = createCostStore(createMemoryTables());
  await store.setBudget({ scope: PROJECT, pico: '350', tokens: undefined });

  expect(await ask(store, 'run_1')).toEqual({ outcome: 'granted', tokensOut: 100 });
  expect(await ask(store, 'run_2')).toEqual({ outcome: 'busy' });
  expect(await ask(store, 'run_2', { isPatient: false })).toEqual({
    outcome: 'granted',
    tokensOut: 50,
  });
  expect(await ask(store, 'run_3', { isPatient: false })).toEqual({
    ...{ outcome: 'refused', scope: PROJECT, isMoney: true },
  });
});

test('refuses what has no price where money is capped, and nothing else', async () => {
  const store = createCostStore(createMemoryTables());
  await store.setBudget({ scope: { kind: 'day' }, pico: undefined, tokens: 10_000 });
  const before = await ask(store, 'run_1', { price: undefined });
  await store.setBudget({ scope: PROJECT, pico: '0', tokens: undefined });

  expect(before).toEqual({ outcome: 'granted', tokensOut: 100 });
  expect(await ask(store, 'run_2', { price: undefined })).toEqual({
    ...{ outcome: 'unpriced', scope: PROJECT },
  });
});

test('counts reported usage once for each key, and refuses another under it', async () => {
  const tables = createMemoryTables();
  const store = createCostStore(tables);
  const usage = {
    ...{ projectId: 'p', agentId: 'a', pico: '5', tokensIn: 1, tokensOut: 2 },
    ...{ atMs: 0, key: 'k', digest: 'd' },
  };

  const answers = [
    await store.record(usage),
    await store.record(usage),
    await store.record({ ...usage, digest: 'other' }),
  ];

  expect(answers).toEqual(['recorded', 'replayed', 'conflict']);
  expect(await store.listShares('p')).toMatchObject([{ agentId: 'a', pico: '5', tokensIn: 1 }]);
});
