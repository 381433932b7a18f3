import { describe, expect, test } from 'vitest';
import type { WantedCall } from '../../src/core/costs/reserve.ts';
import { giveSpent } from '../../src/core/costs/run-ledger.ts';
import {
  type BudgetScope,
  dayOf,
  nameAccount,
  parseDayAccount,
} from '../../src/core/costs/scope.ts';
import { NOTHING_SPENT, type Spent } from '../../src/core/costs/spent.ts';
import type { CostStore } from '../../src/core/costs/stored-costs.ts';
import { type OpenStorage, openRig } from './harness.ts';

/** Ids hold whatever people write. */
const PROJECT = 'proj "\\ /agent/ ✓';
const SCOPE: BudgetScope = { kind: 'project', projectId: PROJECT };
const WANTED: WantedCall = {
  tokensIn: 10,
  tokensOut: 20,
  minTokensOut: 5,
  price: { in: '1000000', out: '2000000' },
  isPatient: false,
};
const ONE_CALL: Spent = {
  ...NOTHING_SPENT,
  attempts: 1,
  pico: 12_345_678_901_234_567_890n,
  tokensIn: 3,
  tokensOut: 4,
};

function toSettle(runId: string, atMs: number, spent: Spent = NOTHING_SPENT) {
  const run = { runId, projectId: PROJECT, agentId: 'agent_1' };
  return { run, spent: giveSpent(spent), day: dayOf(atMs), heldDay: undefined };
}

function reserve(costs: CostStore, runId: string, atMs: number) {
  const defaults = { projectPico: undefined };
  return costs.reserve({ ...toSettle(runId, atMs), wanted: WANTED, defaults });
}

async function readProject({ listAccounts }: CostStore) {
  const [account] = await listAccounts([nameAccount(SCOPE, '') ?? '']);
  return account;
}

export function describeCostStore(engine: string, open: OpenStorage): void {
  describe(`CostStore on ${engine}`, () => {
    test('lists the accounts of days by name, and counts models beside them', async () => {
      const { storage } = await openRig(open);
      const { costs } = storage;
      const atMs = Date.parse('2026-02-15T10:00:00Z');
      const closed = toSettle('run_1', atMs, ONE_CALL);
      await costs.close([{ ...closed, run: { ...closed.run, model: 'openai/gpt "x"' } }]);
      await costs.close([toSettle('run_2', atMs - 24 * 3_600_000, ONE_CALL)]);

      const first = await costs.listDayAccounts({ fromDay: '2026-02-15', limit: 2 });
      const after = first.at(-1)?.name;
      const rest = await costs.listDayAccounts({ fromDay: '2026-02-15', after, limit: 10 });

      const about = [...first, ...rest].map(({ name }) => parseDayAccount(name));
      const day = '2026-02-15';
      expect(about.filter((each) => each !== undefined)).toEqual([
        { day, by: 'agent', id: 'agent_1' },
        { day, by: 'model', id: 'openai/gpt "x"' },
        { day, by: 'project', id: PROJECT },
        { day, by: 'total', id: '' },
      ]);
      expect(first[1]).toMatchObject({
        pico: ONE_CALL.pico.toString(),
        tokensIn: 3,
        heldTokens: 0,
      });
    });

    test('holds what a call may cost, and settles what it did, to the last digit', async () => {
      const { storage, clock, reopen } = await openRig(open);
      await storage.costs.setBudget({ scope: SCOPE, pico: '100', tokens: undefined });

      const reserved = await reserve(storage.costs, 'run_1', clock.nowMs());
      const held = await readProject(storage.costs);
      const settled = await storage.costs.settle(toSettle('run_1', clock.nowMs(), ONE_CALL));
      const { costs } = await reopen();
      await costs.close([toSettle('run_1', clock.nowMs(), ONE_CALL)]);
      await costs.close([toSettle('run_1', clock.nowMs(), ONE_CALL)]);

      expect([reserved, settled]).toEqual([{ outcome: 'granted', tokensOut: 20 }, 'settled']);
      expect(held).toMatchObject({ pico: '0', heldPico: '50', heldTokens: 30 });
      expect(await readProject(costs)).toMatchObject({
        ...{ pico: '12345678901234567890', tokensIn: 3, tokensOut: 4 },
        ...{ heldPico: '0', heldTokens: 0, lastAtMs: clock.nowMs(), expiresAtMs: undefined },
      });
      expect(await costs.listShares(PROJECT)).toMatchObject([
        { shareOf: PROJECT, agentId: 'agent_1', pico: '12345678901234567890' },
      ]);
      expect(await costs.listShares('another')).toEqual([]);
    });

    test('grants no more than a budget, however many ask at once and on whichever node', async () => {
      const { storage, clock, openBeside } = await openRig(open);
      const beside = await openBeside();
      // Each call costs 50 at most: three and a shrunk one fit.
      await storage.costs.setBudget({ scope: SCOPE, pico: '170', tokens: undefined });

      const reserved = await Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          reserve((index % 2 ? storage : beside).costs, `run_${index}`, clock.nowMs()),
        ),
      );

      const granted = reserved.flatMap((one) =>
        one !== 'stale' && one.outcome === 'granted' ? [one.tokensOut] : [],
      );
      expect(granted.sort((a, b) => a - b)).toEqual([5, 20, 20, 20]);
      expect(await readProject(storage.costs)).toMatchObject({ heldPico: '170' });
    });

    test('keeps budgets in order, one for each scope', async () => {
      const { storage, clock } = await openRig(open);
      const { costs } = storage;
      await costs.setBudget({ scope: { kind: 'run' }, pico: undefined, tokens: 7 });
      await costs.setBudget({ scope: SCOPE, pico: '1', tokens: undefined });
      await costs.setBudget({ scope: SCOPE, pico: '2', tokens: undefined });
      await costs.setBudget({ scope: { kind: 'day' }, pico: '3', tokens: 4 });

      const removed = [
        await costs.removeBudget({ kind: 'day' }),
        await costs.removeBudget({ kind: 'day' }),
      ];

      const updatedAtMs = clock.nowMs();
      expect(removed).toEqual([true, false]);
      expect(await costs.listBudgets()).toEqual([
        {
          ...{ name: JSON.stringify(['project', PROJECT]), scope: SCOPE },
          ...{ pico: '2', tokens: undefined, updatedAtMs },
        },
        {
          ...{ name: '["run"]', scope: { kind: 'run' } },
          ...{ pico: undefined, tokens: 7, updatedAtMs },
        },
      ]);
    });

    test('counts reported usage once, also when many report it at once', async () => {
      const { storage, clock, openBeside } = await openRig(open);
      const beside = await openBeside();
      const usage = {
        ...{
          projectId: PROJECT,
          agentId: 'a',
          agentName: 'A',
          pico: '5',
          tokensIn: 1,
          tokensOut: 2,
        },
        ...{ atMs: clock.nowMs(), key: 'k \0', digest: 'd' },
      };

      const answers = await Promise.all(
        [storage, beside, storage, beside].map(({ costs }) => costs.record(usage)),
      );

      expect(answers.sort()).toEqual(['recorded', 'replayed', 'replayed', 'replayed']);
      expect(await storage.costs.record({ ...usage, digest: 'x' })).toBe('conflict');
      expect(await storage.costs.listShares(PROJECT)).toMatchObject([
        { agentName: 'A', pico: '5', tokensIn: 1, tokensOut: 2 },
      ]);
    });
  });
}
