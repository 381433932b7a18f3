import type { LiveConfig } from '../config/live-config.ts';
import { systemClock } from '../core/clock.ts';
import { createAdmission } from '../core/costs/admission.ts';
import { toBudget } from '../core/costs/budget.ts';
import { createCosts } from '../core/costs/costs.ts';
import { parseUsd } from '../core/costs/money.ts';
import type { Overrun } from '../core/costs/refusals.ts';
import { describeScope } from '../core/costs/scope.ts';
import { createSpending } from '../core/costs/spending.ts';
import { createFreshValue } from '../core/fresh-value.ts';
import type { Logger } from '../core/log.ts';
import type { SecurityEvents } from '../core/observability/security-events.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { Storage } from '../core/storage.ts';

export interface CostGround {
  readonly live: LiveConfig;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly redactor: Redactor;
  readonly securityEvents: SecurityEvents;
}

/** A budget that was set through another node holds here after no longer than this. */
const MAX_AGE_MS = 250;

/** What is spent, and what may be. */
export function assembleCosts({ live, storage, logger, redactor, securityEvents }: CostGround) {
  const clock = systemClock;
  const store = storage.costs;
  const budgets = createFreshValue({
    clock,
    maxAgeMs: MAX_AGE_MS,
    async look() {
      const stored = await store.listBudgets();
      return new Map(stored.map((budget) => [budget.name, toBudget(budget)]));
    },
  });
  const defaults = () => {
    const usd = live.current().config.costs.default_project_budget_usd;
    const field = 'costs.default_project_budget_usd';
    return { projectPico: usd === null ? undefined : parseUsd(usd, field).toString() };
  };
  const noteOverrun = ({ scope, run, isRefused }: Overrun) =>
    securityEvents.note('project_budget_overrun', {
      outcome: isRefused ? 'denied' : 'warning',
      about: { scope: describeScope(scope), project_id: run.projectId, agent_id: run.agentId },
    });
  const deps = { store, budgets, defaults, clock, logger, noteOverrun };
  return {
    costs: createCosts({ ...deps, agents: storage.agents, redactor }),
    spending: createSpending(deps),
    assertAffordable: createAdmission(deps),
  };
}
