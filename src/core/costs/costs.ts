import { createHash } from 'node:crypto';
import { type AgentDirectory, resolveAgent, toAgentId } from '../agents/resolve-agent.ts';
import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import type { FreshValue } from '../fresh-value.ts';
import { canonicalJson } from '../json.ts';
import type { Redactor } from '../redact/redact.ts';
import type { Account } from './account.ts';
import { type Budget, type BudgetDefaults, toBudget } from './budget.ts';
import { isOver } from './is-over.ts';
import { type CostSeries, readSeries, type SeriesRequest } from './read-series.ts';
import type { NoteOverrun } from './refusals.ts';
import { type BudgetScope, dayOf, nameAccount } from './scope.ts';
import type { CostStore } from './stored-costs.ts';

/** What projects, agents and days cost, and may cost. */
export interface Costs {
  /** Zeros for a project that nobody has heard of: reading makes none. */
  summarize(projectId: string): Promise<CostSummary>;
  setBudget(budget: Budget): Promise<BudgetState>;
  /** Throws `not_found`. */
  removeBudget(scope: BudgetScope): Promise<void>;
  listBudgets(): Promise<readonly BudgetState[]>;
  /** Day by day. Throws `invalid_input` for a range that is none, or too long. */
  series(request: SeriesRequest): Promise<CostSeries>;
  /** Counts what was spent elsewhere. Recorded also when it is more than a budget allows: it is spent. */
  record(usage: ReportedUsage): Promise<CostSummary>;
}

export interface CostSummary {
  readonly projectId: string;
  readonly spentPico: bigint;
  /** Undefined: the project has no budget in money. */
  readonly budgetPico: bigint | undefined;
  readonly agents: readonly AgentCosts[];
  /** Undefined when nothing was ever spent. */
  readonly updatedAtMs: number | undefined;
}

export interface AgentCosts {
  readonly agentId: string;
  readonly name: string;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly pico: bigint;
  readonly lastAtMs: number;
}

/** A budget, and what is left of it today. */
export interface BudgetState extends Budget {
  readonly updatedAtMs: number;
  /** Undefined for runs, each of which has the whole budget. */
  readonly spent: { readonly pico: bigint; readonly tokens: number } | undefined;
  readonly held: { readonly pico: bigint; readonly tokens: number } | undefined;
}

export interface ReportedUsage {
  readonly projectId: string;
  /** By id, slug or name; one that is no agent here is kept as it is. */
  readonly agent: string;
  readonly agentName: string | undefined;
  readonly pico: bigint;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly atMs: number | undefined;
  readonly key: string | undefined;
}

export interface CostsDeps {
  readonly store: CostStore;
  readonly budgets: FreshValue<ReadonlyMap<string, Budget>>;
  readonly agents: AgentDirectory;
  readonly defaults: () => BudgetDefaults;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly noteOverrun: NoteOverrun;
}

/** Clocks of those who report may be ahead, by no more than this. */
const MAX_AHEAD_MS = 24 * 3_600_000;

export function createCosts(deps: CostsDeps): Costs {
  const { store } = deps;

  async function toState(budget: Budget & { readonly updatedAtMs: number }): Promise<BudgetState> {
    const name = nameAccount(budget.scope, dayOf(deps.clock.nowMs()));
    if (name === undefined) return { ...budget, spent: undefined, held: undefined };
    const [account] = await store.listAccounts([name]);
    return { ...budget, ...toFigures(account) };
  }

  return {
    summarize: (projectId) => summarize(deps, projectId),

    async setBudget({ scope, pico, tokens }) {
      const named = await nameAgent(deps, scope);
      const stored = await store.setBudget({ scope: named, pico: pico?.toString(), tokens });
      deps.budgets.forget();
      return toState({ ...toBudget(stored), updatedAtMs: stored.updatedAtMs });
    },

    async removeBudget(scope) {
      const named = await looselyName(deps, scope);
      const isRemoved = await store.removeBudget(named);
      deps.budgets.forget();
      if (!isRemoved) {
        throw new RuntimeError('not_found', 'there is no such budget', {
          details: { thing: 'budget' },
        });
      }
    },

    async listBudgets() {
      const budgets = await store.listBudgets();
      return Promise.all(
        budgets.map((stored) => toState({ ...toBudget(stored), updatedAtMs: stored.updatedAtMs })),
      );
    },

    series: (request) => readSeries(store, request, deps.clock.nowMs()),
    record: (usage) => record(deps, usage),
  };
}

/** Zeros where nothing was spent. */
async function summarize(deps: CostsDeps, projectId: string): Promise<CostSummary> {
  const { store } = deps;
  const scope: BudgetScope = { kind: 'project', projectId };
  const name = nameAccount(scope, '') ?? '';
  const [[account], shares, budgets, agents] = await Promise.all([
    store.listAccounts([name]),
    store.listShares(projectId),
    store.listBudgets(),
    deps.agents.list(),
  ]);
  const own = budgets.find((budget) => budget.name === name);
  const { projectPico } = deps.defaults();
  const pico = own === undefined ? projectPico : own.pico;
  const names = new Map(agents.map((agent) => [String(agent.id), agent.name]));
  return {
    projectId,
    spentPico: BigInt(account?.pico ?? '0'),
    budgetPico: pico === undefined ? undefined : BigInt(pico),
    agents: shares.map((share) => toAgentCosts(share, names)),
    updatedAtMs: account?.lastAtMs,
  };
}

async function record(deps: CostsDeps, usage: ReportedUsage): Promise<CostSummary> {
  const { projectId, pico, tokensIn, tokensOut, key } = usage;
  const atMs = usage.atMs ?? deps.clock.nowMs();
  if (atMs > deps.clock.nowMs() + MAX_AHEAD_MS) {
    throw new RuntimeError('invalid_input', 'timestamp must not be in the future');
  }
  const agentId = await toAgentId(deps.agents, usage.agent);
  const agentName = usage.agentName && deps.redactor.redactText(usage.agentName);
  const outcome = await deps.store.record({
    ...{ projectId, agentId, agentName, tokensIn, tokensOut, atMs, key },
    pico: pico.toString(),
    digest: digestOf({ ...usage, pico: pico.toString() }),
  });
  if (outcome === 'conflict') {
    throw new RuntimeError('conflict', 'the key was used for another usage', {
      details: {
        key,
        recovery_action: 'Report another usage under a key of its own.',
      },
    });
  }
  const summary = await summarize(deps, projectId);
  if (outcome === 'recorded' && isOver(summary)) {
    const scope: BudgetScope = { kind: 'project', projectId };
    deps.noteOverrun({ scope, run: { projectId, agentId }, isRefused: false });
  }
  return summary;
}

function toAgentCosts(share: Account, names: ReadonlyMap<string, string>): AgentCosts {
  const agentId = share.agentId ?? '';
  return {
    agentId,
    name: names.get(agentId) ?? share.agentName ?? agentId,
    tokensIn: share.tokensIn,
    tokensOut: share.tokensOut,
    pico: BigInt(share.pico),
    lastAtMs: share.lastAtMs,
  };
}

function toFigures(account: Account | undefined): Pick<BudgetState, 'spent' | 'held'> {
  return {
    spent: {
      pico: BigInt(account?.pico ?? '0'),
      tokens: (account?.tokensIn ?? 0) + (account?.tokensOut ?? 0),
    },
    held: { pico: BigInt(account?.heldPico ?? '0'), tokens: account?.heldTokens ?? 0 },
  };
}

/** A budget for somebody who does not exist would hold for nobody: most likely the name is mistyped. */
async function nameAgent({ agents }: CostsDeps, scope: BudgetScope): Promise<BudgetScope> {
  if (!('agentId' in scope) || scope.agentId === undefined) return scope;
  return { ...scope, agentId: (await resolveAgent(agents, scope.agentId)).id };
}

/** That of an agent who is gone can still be removed. */
async function looselyName({ agents }: CostsDeps, scope: BudgetScope): Promise<BudgetScope> {
  if (!('agentId' in scope) || scope.agentId === undefined) return scope;
  return { ...scope, agentId: await toAgentId(agents, scope.agentId) };
}

/** By what was sent: the moment that we put in for want of one would make each another. */
function digestOf(usage: Omit<ReportedUsage, 'pico'> & { readonly pico: string }): string {
  const { projectId, agent, agentName, pico, tokensIn, tokensOut, atMs } = usage;
  const body = canonicalJson({ projectId, agent, agentName, pico, tokensIn, tokensOut, atMs });
  return createHash('sha256').update(body).digest('hex');
}
