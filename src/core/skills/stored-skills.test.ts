import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import { OPERATOR } from '../principal.ts';
import type {
  PutSpec,
  SpecBounds,
  SpecKey,
  SpecKind,
  SpecRoom,
  StoredSpec,
} from './skill-store.ts';
import { type SpecTotals, sizeOf } from './spec-room.ts';
import { isBefore, isImmutable, SPEC_STATES } from './spec-state.ts';
import { createSkillStore, RELEASES, SPEC_OWNERS, SPEC_TOTALS, SPECS } from './stored-skills.ts';

const STUBS = [
  stubQuery(SPEC_OWNERS, ({ kind, id, operator }, { rows }) => [
    ...rows(SPECS).filter((row) => row.kind === kind && row.id === id),
    ...rows(RELEASES)
      .filter(({ skillId }) => kind === 'skill' && skillId === id)
      .map(() => ({ owner: operator })),
  ]),
  stubQuery(SPEC_TOTALS, ({ kind, owner }, { rows }) => {
    const counted = rows(SPECS)
      .filter((row) => row.kind === kind)
      .filter((row) => owner === undefined || row.owner === owner);
    return [{ specs: counted.length, bytes: counted.reduce((sum, { bytes }) => sum + bytes, 0) }];
  }),
];

function totalsOf(specs: readonly Pick<StoredSpec, 'document'>[]) {
  const bytes = specs.reduce((sum, { document }) => sum + sizeOf(document), 0);
  return { specs: specs.length, bytes };
}

const ROOM = { maxSpecs: 3, maxBytes: 100 };
const ROOM_OF_OWNER = { maxSpecs: 2, maxBytes: 70 };

const spec: fc.Arbitrary<PutSpec> = fc
  .record({
    kind: fc.constantFrom<SpecKind>('tool', 'skill'),
    id: fc.constantFrom('a', 'b', 'c'),
    version: fc.integer({ min: 1, max: 2 }),
    state: fc.constantFrom(...SPEC_STATES),
    size: fc.constantFrom(1, 1, 1, 20, 40),
    submittedBy: fc.constantFrom(OPERATOR, 'user:1', 'user:2'),
  })
  .map(({ size, ...rest }) => {
    const document = { text: 'é'.repeat(size / 2) };
    return { ...rest, document, contentHash: `hash ${size}` };
  });

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ put: spec }) },
    // With what is stored as its source, with another one, or with none, as of a skill that is built in.
    {
      weight: 1,
      arbitrary: fc.record({ publish: spec, source: fc.constantFrom('stored', 'given', 'none') }),
    },
  ),
  { maxLength: 30 },
);

type Step = { readonly put: PutSpec } | { readonly publish: PutSpec; readonly source: string };

function openStore() {
  const tables = createMemoryTables(STUBS);
  const store = createSkillStore(tables);
  const perform = async (step: Step) => {
    tables.clock.advance(1);
    if ('put' in step) {
      const isBounded = step.put.submittedBy !== OPERATOR;
      const bounds: SpecBounds = isBounded ? { ...ROOM, ofOwner: ROOM_OF_OWNER } : ROOM;
      return store.putSpec(step.put, bounds);
    }
    const given = { ...step.publish, kind: 'skill' as const };
    const source = step.source === 'stored' ? await store.findSpec(given) : given;
    const release = {
      skillId: given.id,
      version: given.version,
      releaseId: `release ${given.contentHash}`,
      publishedAtMs: tables.clock.nowMs(),
      document: given.document,
    };
    return store.publish({ release, source: step.source === 'none' ? undefined : source });
  };
  return {
    store,
    tables,
    perform,
    specs: () => tables.rows(SPECS),
    releases: () => tables.rows(RELEASES),
  };
}

const fits = ({ specs, bytes }: SpecTotals, { maxSpecs, maxBytes }: SpecRoom) =>
  specs <= maxSpecs && bytes <= maxBytes;

const nameOf = ({ kind, id, version }: SpecKey) => `${kind} ${id} ${version}`;

test('a put is refused for want of room when it would go over a bound, and only then', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const { perform, specs } = openStore();
      for (const step of given) {
        const before = specs();

        const { outcome } = await perform(step);

        for (const { document, bytes } of specs()) expect(bytes).toBe(sizeOf(document));
        if (!('put' in step)) continue;
        if (outcome !== 'stored') expect(specs()).toEqual(before);
        const { kind, submittedBy } = step.put;
        const ofKind = (row: SpecKey) => row.kind === kind;
        const own = (row: StoredSpec) => ofKind(row) && row.owner === submittedBy;
        const after = [...before.filter((row) => nameOf(row) !== nameOf(step.put)), step.put];
        const isOver = !fits(totalsOf(after.filter(ofKind)), ROOM);
        const isOwnerOver =
          submittedBy !== OPERATOR &&
          !fits(
            totalsOf(after.filter((row) => row === step.put || own(row as StoredSpec))),
            ROOM_OF_OWNER,
          );
        const isChange = JSON.stringify(specs()) !== JSON.stringify(before);
        if (isChange) expect([isOver, isOwnerOver]).toEqual([false, false]);
        if (outcome === 'owner_full') expect(isOwnerOver).toBe(true);
        if (outcome === 'full') expect([isOver, isOwnerOver]).toEqual([true, false]);
      }
    }),
  );
});

test('what a put takes the place of makes room, as much as was counted for it', async () => {
  const { store, tables } = openStore();
  const [given] = fc.sample(spec, 1) as [PutSpec];
  const draft = { ...given, state: 'draft', owner: given.submittedBy } as const;
  const bounds = { maxSpecs: 1, maxBytes: 60 };
  // Its document can't be read any more.
  const damaged = { ...draft, document: null as never, bytes: 60, createdAtMs: 1, updatedAtMs: 1 };
  tables.seed(SPECS, [damaged]);
  const putText = (text: string) =>
    store.putSpec({ ...draft, document: { text }, contentHash: text }, bounds);

  expect(await putText('x'.repeat(50))).toEqual({ outcome: 'full' });
  expect(await putText('x'.repeat(49))).toMatchObject({ outcome: 'stored' });
});

test('an id stays its owner’s, and what is published stays as it is', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const { perform, specs, releases } = openStore();
      const owners = new Map<string, string>();
      for (const step of given) {
        const before = {
          specs: new Map(specs().map((row) => [nameOf(row), row])),
          releases: releases(),
        };

        const { outcome } = await perform(step);

        for (const row of specs()) {
          const known = owners.get(`${row.kind} ${row.id}`) ?? row.owner;
          owners.set(`${row.kind} ${row.id}`, known);
          expect(row.owner).toBe(known);
          const old = before.specs.get(nameOf(row));
          if (!old) continue;
          expect(isBefore(row.state, old.state)).toBe(false);
          expect(row.createdAtMs).toBe(old.createdAtMs);
          if (isImmutable(old.state)) expect(row.document).toEqual(old.document);
        }
        for (const { skillId } of releases())
          owners.set(`skill ${skillId}`, owners.get(`skill ${skillId}`) ?? OPERATOR);
        expect(releases().slice(0, before.releases.length)).toEqual(before.releases);
        if ('put' in step && step.put.submittedBy !== OPERATOR) {
          const owner = owners.get(`${step.put.kind} ${step.put.id}`) ?? step.put.submittedBy;
          expect(outcome === 'foreign').toBe(owner !== step.put.submittedBy);
        }
      }
    }),
  );
});
