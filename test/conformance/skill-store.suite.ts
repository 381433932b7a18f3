import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../../src/core/principal.ts';
import type {
  Publication,
  PutSpec,
  SpecBounds,
  StoredRelease,
} from '../../src/core/skills/skill-store.ts';
import { type OpenStorage, openRig } from './harness.ts';

const ROOMY: SpecBounds = { maxSpecs: 100, maxBytes: 1_000_000 };

function newSpec(overrides: Partial<PutSpec> = {}): PutSpec {
  return {
    kind: 'skill',
    id: 'tidy.up',
    version: 1,
    state: 'validated',
    document: { skill_id: 'tidy.up', text: 'a\u0000b "🦀"\n' },
    contentHash: 'hash-1',
    submittedBy: 'user:7',
    ...overrides,
  };
}

function newRelease(overrides: Partial<StoredRelease> = {}): StoredRelease {
  return {
    skillId: 'tidy.up',
    version: 1,
    releaseId: 'skillrel_1',
    publishedAtMs: 1_000,
    document: { bundle: { text: 'a\u0000b 🦀' } },
    ...overrides,
  };
}

function publicationOf(source: PutSpec | undefined): Publication {
  return { release: newRelease(), source };
}

export function describeSkillStore(engine: string, open: OpenStorage): void {
  describeSpecs(engine, open);
  describeReleases(engine, open);
}

function describeSpecs(engine: string, open: OpenStorage): void {
  describe(`Specs of the SkillStore on ${engine}`, () => {
    test('finds nothing in an empty store', async () => {
      const { skills } = (await openRig(open)).storage;

      expect(await skills.findSpec({ kind: 'skill', id: 'tidy.up', version: 1 })).toBeUndefined();
      expect(await skills.findSpec({ kind: 'tool', id: 'a\u0000b', version: 1 })).toBeUndefined();
      expect(await skills.findRelease('tidy.up', 1)).toBeUndefined();
      expect(await skills.findRelease('a\u0000b', 1)).toBeUndefined();
      expect([await skills.listSpecs('tool'), await skills.listReleases()]).toEqual([[], []]);
    });

    test('keeps a spec as it was given, also over a reopen', async () => {
      const { storage, clock, reopen } = await openRig(open);

      const result = await storage.skills.putSpec(newSpec(), ROOMY);
      const { skills } = await reopen();

      const times = { createdAtMs: clock.nowMs(), updatedAtMs: clock.nowMs() };
      const spec = { ...newSpec(), owner: 'user:7', ...times };
      expect(result).toEqual({ outcome: 'stored', spec });
      expect(await skills.findSpec(spec)).toEqual(spec);
      expect(await skills.listSpecs('skill')).toEqual([spec]);
      expect(await skills.listSpecs('tool')).toEqual([]);
    });

    test('lists by id and version, in the order of their characters', async () => {
      const { skills } = (await openRig(open)).storage;
      for (const [id, version] of [
        ['b', 10],
        ['b', 2],
        ['a.b', 1],
        ['B', 1],
        ['a-b', 1],
      ] as const) {
        await skills.putSpec(newSpec({ id, version }), ROOMY);
      }

      const listed = await skills.listSpecs('skill');

      expect(listed.map(({ id, version }) => `${id} ${version}`)).toEqual([
        'B 1',
        'a-b 1',
        'a.b 1',
        'b 2',
        'b 10',
      ]);
    });

    test('replaces what is not published yet and keeps when it was created', async () => {
      const { storage, clock } = await openRig(open);
      const { skills } = storage;
      await skills.putSpec(newSpec({ state: 'draft' }), ROOMY);
      const createdAtMs = clock.nowMs();
      clock.advance(1_000);
      const next = newSpec({ document: { a: 1 }, contentHash: 'hash-2', submittedBy: OPERATOR });

      const result = await skills.putSpec(next, ROOMY);

      const spec = { ...next, owner: 'user:7', createdAtMs, updatedAtMs: clock.nowMs() };
      expect(result).toEqual({ outcome: 'stored', spec });
      expect(await skills.findSpec(next)).toEqual(spec);
    });

    test('refuses a step back and a change of what is published, and changes nothing', async () => {
      const { skills } = (await openRig(open)).storage;
      await skills.putSpec(newSpec({ state: 'published' }), ROOMY);
      const before = await skills.findSpec(newSpec());

      const results = [
        await skills.putSpec(newSpec({ state: 'draft' }), ROOMY),
        await skills.putSpec(newSpec({ state: 'published', contentHash: 'hash-2' }), ROOMY),
        await skills.putSpec(newSpec({ state: 'validated' }), ROOMY),
      ];

      expect(results).toEqual([
        { outcome: 'refused', reason: 'backward', state: 'published' },
        { outcome: 'refused', reason: 'immutable', state: 'published' },
        { outcome: 'stored', spec: before },
      ]);
      expect(await skills.findSpec(newSpec())).toEqual(before);
    });

    test('leaves an id, with all its versions, to whoever made it first and to the operator', async () => {
      const { skills } = (await openRig(open)).storage;
      await skills.putSpec(newSpec({ submittedBy: 'guest:ünï \u0000' }), ROOMY);
      const put = (submittedBy: string, changes: Partial<PutSpec> = {}) =>
        skills.putSpec(
          newSpec({ submittedBy, contentHash: `hash-${submittedBy.length}`, ...changes }),
          ROOMY,
        );

      const results = [
        await put('user:8'),
        await put('user:8', { version: 2 }),
        await put(OPERATOR, { version: 2 }),
        await put('user:8', { version: 3 }),
        await put('guest:ünï \u0000', { version: 2 }),
        await put('user:8', { kind: 'tool' }),
      ];

      expect(results.map(({ outcome }) => outcome)).toEqual([
        'foreign',
        'foreign',
        'stored',
        'foreign',
        'stored',
        'stored',
      ]);
      const owners = (await skills.listSpecs('skill')).map(({ owner }) => owner);
      expect(owners).toEqual(['guest:ünï \u0000', 'guest:ünï \u0000']);
    });

    test('gives an id that several make at once to one of them', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const people = Array.from({ length: 12 }, (_, index) => `user:${index}`);

      const results = await Promise.all(
        people.map((submittedBy, index) =>
          (index % 2 === 0 ? storage : beside).skills.putSpec(
            newSpec({ submittedBy, version: 1 + (index % 3), contentHash: submittedBy }),
            ROOMY,
          ),
        ),
      );

      const owners = new Set((await storage.skills.listSpecs('skill')).map(({ owner }) => owner));
      expect(owners.size).toBe(1);
      const stored = people.filter((_, index) => results[index]?.outcome === 'stored');
      expect(stored).toEqual([...owners]);
    });

    test('leaves the id of a release that has no spec to the operator', async () => {
      const { skills } = (await openRig(open)).storage;
      await skills.publish(publicationOf(undefined));

      const foreign = await skills.putSpec(newSpec({ version: 2 }), ROOMY);
      const own = await skills.putSpec(newSpec({ version: 2, submittedBy: OPERATOR }), ROOMY);

      expect([foreign.outcome, own.outcome]).toEqual(['foreign', 'stored']);
      expect((await skills.listReleases()).map(({ owner }) => owner)).toEqual([OPERATOR]);
    });

    test('holds no more specs of a kind than it may, however many come at once', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      await storage.skills.putSpec(newSpec({ kind: 'tool' }), { ...ROOMY, maxSpecs: 3 });

      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).skills.putSpec(newSpec({ version: index + 1 }), {
            ...ROOMY,
            maxSpecs: 3,
          }),
        ),
      );

      expect(results.filter(({ outcome }) => outcome === 'stored')).toHaveLength(3);
      expect(results.filter(({ outcome }) => outcome === 'full')).toHaveLength(5);
      expect(await storage.skills.listSpecs('skill')).toHaveLength(3);
    });

    test('holds no more specs of one owner than it may, and leaves room for others', async () => {
      const { skills } = (await openRig(open)).storage;
      const bounds = { ...ROOMY, ofOwner: { maxSpecs: 1, maxBytes: 100 } };
      const put = (overrides: Partial<PutSpec>) => skills.putSpec(newSpec(overrides), bounds);

      const outcomes = [
        await put({}),
        await put({ version: 2 }),
        await put({ document: { text: 'x'.repeat(100) }, contentHash: '2' }),
        await put({ document: { text: 'x' }, contentHash: '3' }),
        await put({ kind: 'tool' }),
        await put({ id: 'other', submittedBy: 'user:8' }),
      ].map(({ outcome }) => outcome);

      expect(outcomes).toEqual([
        'stored',
        'owner_full',
        'owner_full',
        'stored',
        'stored',
        'stored',
      ]);
    });

    test('counts bytes once for a spec that is replaced', async () => {
      const { skills } = (await openRig(open)).storage;
      const bounds = { maxSpecs: 10, maxBytes: 40 };
      const fit = newSpec({ document: { text: 'x'.repeat(20) } });
      await skills.putSpec(fit, bounds);

      const again = await skills.putSpec(
        { ...fit, document: { text: 'y'.repeat(29) }, contentHash: '2' },
        bounds,
      );
      const larger = await skills.putSpec(
        { ...fit, document: { text: 'y'.repeat(30) }, contentHash: '3' },
        bounds,
      );
      const other = await skills.putSpec({ ...fit, version: 2, document: {} }, bounds);

      expect([again.outcome, larger.outcome, other.outcome]).toEqual(['stored', 'full', 'full']);
      expect((await skills.findSpec(fit))?.contentHash).toBe('2');
    });
  });
}

function describeReleases(engine: string, open: OpenStorage): void {
  describe(`Releases of the SkillStore on ${engine}`, () => {
    test('stores a release and the new state of its spec together', async () => {
      const { storage, clock, reopen } = await openRig(open);
      await storage.skills.putSpec(newSpec(), ROOMY);
      const createdAtMs = clock.nowMs();
      clock.advance(1_000);

      const result = await storage.skills.publish(publicationOf(newSpec()));
      const { skills } = await reopen();

      const times = { createdAtMs, updatedAtMs: clock.nowMs() };
      const spec = { ...newSpec(), owner: 'user:7', state: 'published', ...times };
      expect(result).toEqual({ outcome: 'published', release: newRelease() });
      expect(await skills.findRelease('tidy.up', 1)).toEqual(newRelease());
      expect(await skills.findSpec(newSpec())).toEqual(spec);
      const { document: _, ...head } = newRelease();
      expect(await skills.listReleases()).toEqual([
        { ...head, owner: 'user:7', state: 'published' },
      ]);
    });

    test('answers with the first release, whoever publishes again', async () => {
      const { skills } = (await openRig(open)).storage;
      await skills.putSpec(newSpec(), ROOMY);
      await skills.publish(publicationOf(newSpec()));
      await skills.putSpec(newSpec({ state: 'deprecated' }), ROOMY);

      const again = await skills.publish({
        release: newRelease({ releaseId: 'skillrel_2', document: {} }),
        source: newSpec(),
      });

      expect(again).toEqual({ outcome: 'exists', release: newRelease() });
      expect((await skills.findSpec(newSpec()))?.state).toBe('deprecated');
      expect((await skills.listReleases()).map(({ state }) => state)).toEqual(['deprecated']);
    });

    test('makes one release among many who publish at the same moment', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      await storage.skills.putSpec(newSpec(), ROOMY);

      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).skills.publish({
            release: newRelease({ releaseId: `skillrel_${index}` }),
            source: newSpec(),
          }),
        ),
      );

      expect(results.filter(({ outcome }) => outcome === 'published')).toHaveLength(1);
      const ids = results.map((result) => ('release' in result ? result.release.releaseId : ''));
      expect(new Set(ids).size).toBe(1);
    });

    test('releases nothing whose spec has changed or is in the wrong state', async () => {
      const { skills } = (await openRig(open)).storage;
      await skills.putSpec(newSpec({ state: 'draft' }), ROOMY);

      const results = [
        await skills.publish(publicationOf(newSpec({ contentHash: 'other' }))),
        await skills.publish(publicationOf(undefined)),
        await skills.publish(publicationOf(newSpec())),
      ];

      expect(results).toEqual([
        { outcome: 'changed' },
        { outcome: 'changed' },
        { outcome: 'refused', state: 'draft' },
      ]);
      expect(await skills.listReleases()).toEqual([]);
    });

    test('stores the spec of a release that came without one, and none for what is built in', async () => {
      const { storage, clock } = await openRig(open);
      const { skills } = storage;
      const builtIn = { release: newRelease({ skillId: 'built.in' }), source: undefined };

      await skills.publish(publicationOf(newSpec({ state: 'validated' })));
      await skills.publish(builtIn);

      const times = { createdAtMs: clock.nowMs(), updatedAtMs: clock.nowMs() };
      expect(await skills.listSpecs('skill')).toEqual([
        { ...newSpec(), owner: 'user:7', state: 'published', ...times },
      ]);
      expect((await skills.listReleases()).map(({ skillId, state }) => [skillId, state])).toEqual([
        ['built.in', undefined],
        ['tidy.up', 'published'],
      ]);
    });
  });
}
