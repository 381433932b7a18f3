import type { AgentStore } from '../agents/agent.ts';
import type { Clock } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import type { AgentId, FactId, Ids } from '../ids.ts';
import { mayChange } from '../principal.ts';
import type { Redactor } from '../redact/redact.ts';
import type { AddedFact, Fact, FactFilter, FactStore } from './fact.ts';
import type { Onlooker, Viewers } from './viewers.ts';

/** Facts: what every surface and tool may do with them. */
export interface Facts extends FactReader {
  /** Throws `not_found` for an unknown agent, `invalid_input` for one that ends before it begins. */
  add(given: GivenFact): Promise<AddedFact>;
  /** Throws `not_found`, also for what the onlooker may not see. */
  remove(id: string, onlooker: Onlooker): Promise<Fact>;
  /** What only this agent sees goes with it. */
  forgetAgent(agentId: AgentId): Promise<void>;
}

export interface FactReader {
  /** Newest first; what holds now, unless another time or all of it is asked for. */
  list(wanted: FactQuery): Promise<FactList>;
}

export interface GivenFact
  extends Pick<Fact, 'owner' | 'projectId' | 'subject' | 'relation' | 'object' | 'source'> {
  /** Who says so: an id, a slug or a name. */
  readonly agent?: string;
  readonly validFromMs?: number;
  readonly validToMs?: number;
  readonly isReplacing?: boolean;
}

export interface FactQuery
  extends Onlooker,
    Omit<FactFilter, 'owner' | 'readerId' | 'isOwnOnly' | 'atMs'> {
  /** A moment, `all` of time; now when left out. */
  readonly when?: number | 'all';
}

interface FactList {
  readonly facts: readonly Fact[];
  readonly next: FactId | undefined;
}

export interface FactReaderDeps {
  readonly store: Pick<FactStore, 'list'>;
  readonly viewers: Viewers;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export interface FactsDeps extends FactReaderDeps {
  readonly store: FactStore;
  readonly agents: Pick<AgentStore, 'find'>;
  readonly ids: Pick<Ids, 'fact'>;
  readonly redactor: Pick<Redactor, 'redactText'>;
}

export const MAX_SUBJECT_CHARS = 200;
export const MAX_RELATION_CHARS = 100;
export const MAX_OBJECT_CHARS = 2_000;
const FORGET_PAGE = 100;

export function createFacts(deps: FactsDeps): Facts {
  const { store, viewers, redactor } = deps;
  const clean = (text: string) => redactor.redactText(text.trim());

  return {
    ...createFactReader(deps),

    async add({ agent, validFromMs, validToMs, isReplacing = false, ...given }) {
      const author = agent === undefined ? undefined : await viewers.resolve(agent);
      const added = await store.add({
        id: deps.ids.fact(),
        owner: given.owner,
        projectId: given.projectId,
        subject: clean(given.subject),
        relation: clean(given.relation),
        object: clean(given.object),
        source: clean(given.source),
        ...{ validFromMs, validToMs, isReplacing },
        agentId: author?.id,
        isPrivate: author?.memoryAccess === 'private',
      });
      if (added) return added;
      throw new RuntimeError('invalid_input', 'valid_to must be after valid_from');
    },

    async remove(id, onlooker) {
      const fact = await store.find(id as FactId);
      if (!fact || !(await isVisible(deps, fact, onlooker))) throw factNotFound(id);
      if (!(await store.remove(fact.id))) throw factNotFound(id);
      return fact;
    },

    async forgetAgent(agentId) {
      while ((await store.forget(agentId, FORGET_PAGE)) === FORGET_PAGE);
    },
  };
}

export function createFactReader({ store, viewers, clock }: FactReaderDeps): FactReader {
  return {
    async list({ owner, reader, when = clock.nowMs(), limit, ...filter }) {
      const viewer = await viewers.see({ owner, ...(reader !== undefined && { reader }) });
      // One more than asked for tells whether there is a next page.
      const found = await store.list({
        ...filter,
        ...viewer,
        ...(when !== 'all' && { atMs: when }),
        limit: limit + 1,
      });
      const facts = found.slice(0, limit);
      return { facts, next: found.length > limit ? facts.at(-1)?.id : undefined };
    },
  };
}

async function isVisible(deps: FactsDeps, fact: Fact, onlooker: Onlooker): Promise<boolean> {
  const { owner, readerId, isOwnOnly } = await deps.viewers.see(onlooker);
  if (!mayChange(owner, fact.owner)) return false;
  if (fact.agentId === undefined) return !isOwnOnly;
  if (fact.agentId === readerId) return true;
  return !isOwnOnly && !fact.isPrivate && !(await isKept(deps, fact.agentId));
}

async function isKept({ agents }: FactsDeps, id: AgentId): Promise<boolean> {
  return (await agents.find(id))?.memoryAccess === 'private';
}

function factNotFound(id: string): RuntimeError {
  return new RuntimeError('not_found', `fact ${id} does not exist`, {
    details: { thing: 'fact', recovery_action: 'GET /api/knowledge/facts lists them.' },
  });
}
