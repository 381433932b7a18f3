import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import type { AgentId, FactId } from '../ids.ts';
import type { NewFact } from './fact.ts';
import { toPattern, toTerm } from './fact-term.ts';
import { createFactStore, FACTS, STANDING_FACTS } from './stored-facts.ts';

const STUBS = [
  stubQuery(STANDING_FACTS, ({ owner, projectId, subjectTerm, relationTerm, readerId }, stored) =>
    stored
      .rows(FACTS)
      .filter(
        (row) =>
          row.owner === owner &&
          row.projectId === projectId &&
          row.subjectTerm === subjectTerm &&
          row.relationTerm === relationTerm &&
          row.validToMs === undefined &&
          (!row.isPrivate || row.agentId === readerId),
      ),
  ),
];

const FACT = fc.record({
  owner: fc.constantFrom('operator', 'user:1'),
  projectId: fc.constantFrom('p1', 'p2'),
  subject: fc.constantFrom('Billing', ' billing ', 'Search'),
  relation: fc.constantFrom('runs on', 'Runs  On'),
  object: fc.constantFrom('port 1', 'PORT 1', 'port 2'),
  agentId: fc.constantFrom(undefined, 'agent_a' as AgentId, 'agent_b' as AgentId),
  isReplacing: fc.boolean(),
  isMine: fc.boolean(),
});

let made = 0;
function newFact({
  isMine,
  ...fields
}: typeof FACT extends fc.Arbitrary<infer T> ? T : never): NewFact {
  made += 1;
  return {
    ...fields,
    id: `fact_${made}` as FactId,
    validFromMs: undefined,
    validToMs: undefined,
    source: 'user',
    isPrivate: isMine && fields.agentId !== undefined,
  };
}

test('what replaces leaves nothing else standing that its author sees, and touches no other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(FACT, { maxLength: 25 }), async (steps) => {
      const tables = createMemoryTables(STUBS);
      const store = createFactStore(tables);
      for (const step of steps) {
        tables.clock.advance(1);
        const given = newFact(step);
        const before = tables.rows(FACTS);
        const isOfPlace = (row: (typeof before)[number]) =>
          row.owner === given.owner &&
          row.projectId === given.projectId &&
          row.subjectTerm === toTerm(given.subject) &&
          row.relationTerm === toTerm(given.relation) &&
          (!row.isPrivate || row.agentId === given.agentId);

        const added = await store.add(given);

        if (!added) throw new Error('it was refused');
        const after = tables.rows(FACTS);
        expect(after).toHaveLength(before.length + (added.isNew ? 1 : 0));
        expect(toTerm(added.fact.object)).toBe(toTerm(given.object));
        const standing = after.filter((row) => isOfPlace(row) && row.validToMs === undefined);
        if (given.isReplacing) expect(standing.map(({ id }) => id)).toEqual([added.fact.id]);
        const untouched = before.filter((row) => !isOfPlace(row) || !given.isReplacing);
        for (const row of untouched) expect(after).toContainEqual(row);
      }
    }),
  );
});

test('a fact that ends before it begins is refused', async () => {
  const tables = createMemoryTables(STUBS);
  const store = createFactStore(tables);
  const [sample] = fc.sample(FACT, 1);
  if (!sample) throw new Error('no sample');

  const added = await store.add({ ...newFact(sample), validToMs: tables.clock.nowMs() });

  expect(added).toBeUndefined();
  expect(tables.rows(FACTS)).toEqual([]);
});

test('a pattern looks for signs as they are written', () => {
  expect(toPattern(' 100%  SURE_! ')).toBe('%100!% sure!_!!%');
});
