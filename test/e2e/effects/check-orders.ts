import { join } from 'node:path';
import type { Effect, EffectStatus } from '../../../src/core/effects/effect.ts';
import { DEFAULT_AGENT_ID } from '../../../src/core/ids.ts';
import { silentLogger } from '../../../src/core/log.ts';
import type { Run } from '../../../src/core/runs/run.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open-sqlite-storage.ts';
import { answerTo } from './order-root.ts';
import type { OrderService } from './order-service.ts';

export interface OrderReport {
  readonly violations: readonly string[];
  readonly runs: number;
  readonly applied: number;
  readonly byStatus: Readonly<Record<EffectStatus, number>>;
}

/** More runs than any storm makes. */
const MAX_RUNS = 5_000;
const PAGE = 200;

/** Holds the ledger of a state root, with nobody running on it, against what the service has really done. */
export async function checkOrders(
  root: string,
  service: Pick<OrderService, 'applied'>,
): Promise<OrderReport> {
  const storage = await openSqliteStorage({
    file: join(root, '.openclawssy/pincer.db'),
    writer: 'inline',
    readOnly: true,
    logger: silentLogger,
  });
  try {
    const runs: Run[] = [];
    let before: Run['id'] | undefined;
    do {
      const page = await storage.runs.list({
        limit: PAGE,
        agentId: DEFAULT_AGENT_ID,
        ...(before === undefined ? {} : { before }),
      });
      runs.push(...page.runs);
      before = page.next;
    } while (before !== undefined && runs.length < MAX_RUNS);
    const violations: string[] = [];
    for (const run of runs) {
      const { effects } = await storage.effects.list({ runId: run.id, limit: PAGE });
      violations.push(...checkOrder(run, effects, service.applied.get(run.message) ?? 0));
    }
    const known = new Set(runs.map(({ message }) => message));
    for (const order of service.applied.keys()) {
      if (!known.has(order)) violations.push(`${order} was applied and no run has asked for it`);
    }
    const applied = [...service.applied.values()].reduce((sum, count) => sum + count, 0);
    return {
      violations,
      runs: runs.length,
      applied,
      byStatus: await storage.effects.countByStatus(),
    };
  } finally {
    await storage.close();
  }
}

/** What the ledger may say about an order that was applied so often. */
const TRUE_OF: Readonly<Record<EffectStatus, readonly number[]>> = {
  intent: [],
  sent: [],
  confirmed: [1],
  failed: [0],
  unknown: [0, 1],
};

function checkOrder(run: Run, effects: readonly Effect[], applied: number): string[] {
  const violations: string[] = [];
  const wrong = (what: string) => violations.push(`${run.id} (${run.message}): ${what}`);
  if (run.status !== 'completed' || run.output !== answerTo(run.message)) {
    wrong(`${run.status} with ${JSON.stringify(run.output)} ${run.error?.message ?? ''}`);
  }
  if (applied > 1) wrong(`applied ${applied} times`);
  const [effect] = effects;
  if (effect === undefined || effects.length > 1) {
    wrong(`has ${effects.length} rows in the ledger`);
  } else if (!TRUE_OF[effect.status].includes(applied)) {
    wrong(`the ledger says ${effect.status}, and it was applied ${applied} times`);
  }
  return violations;
}
