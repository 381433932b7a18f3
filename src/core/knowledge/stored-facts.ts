import { clampLimit } from '../clamp-limit.ts';
import type { AgentId, FactId } from '../ids.ts';
import { patch, put, remove as removeRow } from '../store/change.ts';
import { collection, query } from '../store/collection.ts';
import { ask, find, list } from '../store/need.ts';
import type { Tables } from '../store/tables.ts';
import { answer, type Decided, defineWrite } from '../store/write.ts';
import type { AddedFact, Fact, FactFilter, FactStore, NewFact } from './fact.ts';
import { toPattern, toTerm } from './fact-term.ts';

export interface FactRow extends Fact {
  readonly subjectTerm: string;
  readonly relationTerm: string;
  readonly objectTerm: string;
}

export const FACTS = collection<FactRow>()('facts', 'id');
/** Open ones of one subject and relation that the adder may see. */
export const STANDING_FACTS = query<
  Pick<FactRow, 'owner' | 'projectId' | 'subjectTerm' | 'relationTerm'> & {
    readerId: AgentId | undefined;
    limit: number;
  },
  FactRow
>('standing_facts');
export const NEWEST_FACTS = query<
  {
    owner: string;
    readerId: AgentId | undefined;
    isOwnOnly: boolean;
    projectId: string | undefined;
    subject: string | undefined;
    relation: string | undefined;
    object: string | undefined;
    pattern: string | undefined;
    atMs: number | undefined;
    before: FactId | undefined;
    limit: number;
  },
  FactRow
>('newest_facts');
/** Those that only their agent sees. */
export const KEPT_FACTS = query<{ agentId: AgentId; limit: number }, { id: FactId }>('kept_facts');

/** A page is read in one go. */
const MAX_PAGE_FACTS = 500;
/** Objects of one subject and relation that are compared, or replaced, with one new one. */
const MAX_STANDING = 500;

type Place = Pick<Fact, 'owner' | 'projectId' | 'subject' | 'relation'>;

/** Two that come at once would both find nothing to replace. */
function lockOf({ owner, projectId, subject, relation }: Place): string {
  return `facts ${JSON.stringify([owner, projectId, toTerm(subject), toTerm(relation)])}`;
}

const add = defineWrite({
  name: 'facts.add',
  locks: (fact: NewFact) => [lockOf(fact)],
  needs: ({ owner, projectId, subject, relation, agentId }) => ({
    standing: ask(STANDING_FACTS, {
      ...{ owner, projectId, readerId: agentId, limit: MAX_STANDING },
      subjectTerm: toTerm(subject),
      relationTerm: toTerm(relation),
    }),
  }),
  decide({ standing }, { isReplacing, ...given }, nowMs): Decided<AddedFact | undefined> {
    const { validFromMs = nowMs } = given;
    if (given.validToMs !== undefined && given.validToMs <= validFromMs) return answer(undefined);
    const known = standing.find((fact) => isSame(fact, given));
    const others = isReplacing ? standing.filter((fact) => fact !== known) : [];
    const ended = others.map(({ id, validFromMs: since }) =>
      patch(FACTS, { id }, { validToMs: Math.max(since, validFromMs) }),
    );
    const replaced = others.map(({ id }) => id);
    if (known) return { value: { fact: toFact(known), isNew: false, replaced }, changes: ended };
    const row = withTerms({ ...given, validFromMs, createdAtMs: nowMs });
    const value = { fact: toFact(row), isNew: true, replaced };
    return { value, changes: [...ended, put(FACTS, row)] };
  },
});

function withTerms(fact: Fact): FactRow {
  return {
    ...fact,
    subjectTerm: toTerm(fact.subject),
    relationTerm: toTerm(fact.relation),
    objectTerm: toTerm(fact.object),
  };
}

/** Said again by somebody else it is another fact only where others may not see the first. */
function isSame(fact: FactRow, given: Omit<NewFact, 'isReplacing'>): boolean {
  return (
    given.validToMs === undefined &&
    fact.objectTerm === toTerm(given.object) &&
    fact.isPrivate === given.isPrivate
  );
}

/** Facts as somebody had them, of an agent that is new here: nobody else's are looked at. */
export const restoreFacts = defineWrite({
  name: 'facts.restore',
  locks: () => ['facts.restore'],
  needs: (_: readonly Fact[]) => ({}),
  decide: (_, facts) => ({
    value: undefined,
    changes: facts.map((fact) => put(FACTS, withTerms(fact))),
  }),
});

const remove = defineWrite({
  name: 'facts.remove',
  locks: (id: FactId) => [`fact ${id}`],
  needs: (id) => ({ known: find(FACTS, { id }) }),
  decide: ({ known }, id) =>
    known ? { value: true, changes: [removeRow(FACTS, { id })] } : answer(false),
});

const forget = defineWrite({
  name: 'facts.forget',
  locks: ({ agentId }: { agentId: AgentId; limit: number }) => [`facts of ${agentId}`],
  needs: (wanted) => ({ kept: ask(KEPT_FACTS, wanted) }),
  decide: ({ kept }) => ({
    value: kept.length,
    changes: kept.map(({ id }) => removeRow(FACTS, { id })),
  }),
});

export const FACT_WRITES = { add, restoreFacts, remove, forget };

export function createFactStore({ load, write }: Tables): FactStore {
  return {
    add: (fact) => write(add, fact),

    async find(id) {
      const row = await load(find(FACTS, { id }));
      return row && toFact(row);
    },

    list: async (filter) => (await load(ask(NEWEST_FACTS, toParams(filter)))).map(toFact),
    async listOf(agentId, { after, limit }) {
      const page = { of: { agentId }, after, limit: clampLimit(limit, MAX_PAGE_FACTS) };
      return (await load(list(FACTS, page))).map(toFact);
    },
    remove: (id) => write(remove, id),
    forget: (agentId, limit) => write(forget, { agentId, limit }),
  };
}

function toParams({ subject, relation, object, text, ...filter }: FactFilter) {
  const term = (given: string | undefined) => (given === undefined ? undefined : toTerm(given));
  return {
    ...{ owner: filter.owner, readerId: filter.readerId, isOwnOnly: filter.isOwnOnly },
    ...{ projectId: filter.projectId, atMs: filter.atMs, before: filter.before },
    ...{ subject: term(subject), relation: term(relation), object: term(object) },
    pattern: text === undefined ? undefined : toPattern(text),
    limit: clampLimit(filter.limit, MAX_PAGE_FACTS),
  };
}

function toFact({ subjectTerm: _, relationTerm: __, objectTerm: ___, ...fact }: FactRow): Fact {
  return fact;
}
