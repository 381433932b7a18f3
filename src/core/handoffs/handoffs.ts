import type { Agent } from '../agents/agent.ts';
import type { Spender } from '../costs/scope.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import { faultPoint } from '../fault-point.ts';
import type { AgentId, HandoffId, Ids, RunId } from '../ids.ts';
import type { Redactor } from '../redact/redact.ts';
import {
  type GiveResult,
  type Handoff,
  type HandoffFilter,
  type HandoffStore,
  MAX_DEPTH,
  MAX_OPEN_PER_RECEIVER,
  MAX_PER_RUN,
} from './handoff.ts';

/** Work that agents give to each other: what a surface or a tool may do with it. */
export interface Handoffs extends HandoffReader {
  /**
   * Stored for good when this returns; a server then sees to the rest. Throws `not_found` for unknown agents,
   * `policy_denied` where a chain may not go on, `conflict` for a key that named another hand-off, `limit_reached` and
   * `queue_full` where there are too many, `budget_exceeded` where the receiver could not work.
   */
  give(request: GiveWork): Promise<GivenWork>;
}

export interface HandoffReader {
  /** Newest first. */
  list(filter: HandoffQuery): Promise<HandoffPage>;
  /** Throws `not_found`. */
  get(id: string): Promise<Handoff>;
}

export interface GiveWork {
  readonly owner: string;
  /** An id, a slug or a name. */
  readonly from: string;
  readonly to: string;
  readonly projectId: string;
  readonly content: string;
  readonly key?: string;
  /** The run that hands over, whose chain goes on. */
  readonly parentRunId?: RunId;
}

interface GivenWork {
  readonly handoff: Handoff;
  readonly replayed: boolean;
}

export type HandoffQuery = Omit<HandoffFilter, 'agentId'> & {
  /** An id, a slug or a name. */
  readonly agent?: string;
};

export interface HandoffPage {
  readonly handoffs: readonly Handoff[];
  readonly next: HandoffId | undefined;
}

export interface HandoffReaderDeps {
  readonly store: Pick<HandoffStore, 'find' | 'list'>;
  readonly agents: { resolve(reference: string): Promise<Pick<Agent, 'id'>> };
}

export interface HandoffsDeps extends HandoffReaderDeps {
  readonly store: HandoffStore;
  readonly ids: Pick<Ids, 'handoff' | 'run'>;
  readonly redactor: Pick<Redactor, 'redactText'>;
  /** Throws `budget_exceeded` where new work is refused. */
  assertAffordable(work: Spender): Promise<void>;
  /** Carries out what is open, where somebody does; resolves when it was tried. */
  deliver(handoff: Handoff): Promise<void>;
}

/** A model reads it as one message, and people in a list. */
export const MAX_CONTENT_CHARS = 16_000;

export function createHandoffs(deps: HandoffsDeps): Handoffs {
  const { store, agents, ids, redactor } = deps;

  return {
    ...createHandoffReader(deps),

    async give({ owner, projectId, content, key, parentRunId, ...between }) {
      const from = (await agents.resolve(between.from)).id;
      const to = (await agents.resolve(between.to)).id;
      if (from === to) throw toItself(to);
      const refusal = await findRefusal(deps, { projectId, agentId: to });
      const result = await store.give({
        id: ids.handoff(),
        runId: ids.run(),
        ...{ owner, from, to, projectId, parentRunId },
        content: redactor.redactText(content),
        ...defined({ key }),
        isUnaffordable: refusal !== undefined,
      });
      if (refusal && result.outcome === 'unaffordable') throw refusal;
      if (result.outcome !== 'given') throw toRefusal(result.outcome, to);
      const { handoff, replayed } = result;
      faultPoint('handoff.after_give');
      await deps.deliver(handoff);
      return { handoff, replayed };
    },
  };
}

export function createHandoffReader({ store, agents }: HandoffReaderDeps): HandoffReader {
  return {
    async list({ agent, limit, ...filter }) {
      const agentId = agent === undefined ? undefined : (await agents.resolve(agent)).id;
      // One more than asked for tells whether there is a next page.
      const found = await store.list({ ...filter, ...defined({ agentId }), limit: limit + 1 });
      const handoffs = found.slice(0, limit);
      return { handoffs, next: found.length > limit ? handoffs.at(-1)?.id : undefined };
    },

    async get(id) {
      const handoff = await store.find(id as HandoffId);
      if (handoff) return handoff;
      throw new RuntimeError('not_found', `hand-off ${id} does not exist`, {
        details: { thing: 'handoff', recovery_action: 'GET /api/agents/handoffs lists them.' },
      });
    },
  };
}

function toItself(agentId: AgentId): RuntimeError {
  return new RuntimeError('invalid_input', `agent ${agentId} can't hand work to itself`, {
    details: { recovery_action: 'Name another agent as to_agent_id.' },
  });
}

/** Kept for later: a request that is made again is answered all the same. */
async function findRefusal(
  deps: Pick<HandoffsDeps, 'assertAffordable'>,
  work: Spender,
): Promise<RuntimeError | undefined> {
  try {
    await deps.assertAffordable(work);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof RuntimeError && thrown.code === 'budget_exceeded') return thrown;
    throw thrown;
  }
}

function toRefusal(outcome: Exclude<GiveResult['outcome'], 'given'>, to: AgentId): RuntimeError {
  switch (outcome) {
    case 'unaffordable':
      return new RuntimeError('budget_exceeded', `there is no budget for agent ${to}`);
    case 'other_handoff':
      return new RuntimeError('conflict', 'the idempotency key was used for another hand-off');
    case 'too_deep':
      return denied(`work is handed on ${MAX_DEPTH} times at most`, 'Do the work in this run.');
    case 'in_chain':
      return denied(
        `agent ${to} has handed this work on already`,
        'Answer instead: the result goes back to whoever handed the work over.',
      );
    case 'too_many':
      return new RuntimeError('limit_reached', `a run hands over ${MAX_PER_RUN} times at most`);
    case 'receiver_full':
      return new RuntimeError(
        'queue_full',
        `${MAX_OPEN_PER_RECEIVER} hand-offs wait for agent ${to} already`,
        { details: { agent_id: to } },
      );
  }
}

function denied(message: string, recoveryAction: string): RuntimeError {
  return new RuntimeError('policy_denied', message, {
    details: { recovery_action: recoveryAction },
  });
}
