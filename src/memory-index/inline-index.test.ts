import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIndexedMemory, EVERYBODY } from '../../test/memory-index/indexed-memory.ts';
import type { MemoryId } from '../core/ids.ts';
import type {
  IndexChange,
  IndexedMemory,
  MemoryFilter,
  RankedMemory,
} from '../core/memory/memory-index.ts';
import { createInlineIndex, type InlineIndex } from './inline-index.ts';

const NOW = Date.UTC(2026, 0, 1);

function put(memory: IndexedMemory): IndexChange {
  return { change: 'put', memory };
}

function search(
  index: InlineIndex,
  text: string,
  more: { filter?: MemoryFilter; vectors?: Float32Array[]; limit?: number } = {},
): readonly RankedMemory[] {
  const { filter = EVERYBODY, vectors, limit = 10 } = more;
  return index.search({ text, filter, vectors, limit, nowMs: NOW });
}

function openWith(...memories: Parameters<typeof createIndexedMemory>[0][]): InlineIndex {
  const index = createInlineIndex();
  index.apply(memories.map((memory) => put(createIndexedMemory(memory))));
  return index;
}

const ids = (ranked: readonly RankedMemory[]) => ranked.map(({ id }) => id as string);

test('finds by word, whatever its form, best first', () => {
  const index = openWith(
    { id: 'm1', content: 'The deployment failed because of the proxy.' },
    { id: 'm2', content: 'We deployed the new proxy on Friday.' },
    { id: 'm3', content: 'Cats sleep most of the day.' },
  );

  expect(ids(search(index, 'proxy deployments on friday'))).toEqual(['m2', 'm1']);
  expect(search(index, 'zeppelin')).toEqual([]);
});

test('finds what was said beside the words, in the order of the conversation', () => {
  const said = (id: string, content: string, timestampMs: number) => ({
    id,
    content,
    timestampMs,
    sessionId: 's1',
  });
  const index = openWith(
    said('m3', 'Tom: Twelve, believe it or not!', 2),
    said('m2', 'Ana: How many marathons did you run so far?', 1),
    said('m1', 'Tom: Hello there.', 0),
    { id: 'm4', content: 'Tom: Unrelated words about gardening.', sessionId: 's2' },
  );

  expect(ids(search(index, 'How many marathons has Tom run?')).slice(0, 2).sort()).toEqual([
    'm2',
    'm3',
  ]);
  const asked = search(index, 'marathons').find(({ id }) => id === 'm2');
  expect(asked?.why).toMatchObject({ keyword: expect.any(Number) });
});

test('one that holds every word, or the phrase, is never left out', () => {
  const others = Array.from({ length: 40 }, (_, index) => ({
    id: `n${index}`,
    content: `Server number ${index} answered with an error again`,
    vectors: [Float32Array.of(1, 0, 0)],
  }));
  const index = openWith(...others, {
    id: 'm1',
    content: `${'Nothing of interest here at all. '.repeat(200)} ERR-7731 error server`,
    vectors: [Float32Array.of(-1, 0, 0)],
  });
  const vectors = [Float32Array.of(1, 0, 0), Float32Array.of(1, 0, 0)];

  expect(ids(search(index, 'ERR-7731', { vectors, limit: 3 }))).toContain('m1');
  expect(ids(search(index, 'server error 7731', { vectors, limit: 3 }))).toContain('m1');
  expect(ids(search(index, 'which "interest here at all"?', { vectors, limit: 3 }))).toContain(
    'm1',
  );
});

test('finds by meaning; one without a vector is found by words all the same', () => {
  const index = openWith(
    { id: 'm1', content: 'alpha', vectors: [Float32Array.of(0, 1), Float32Array.of(1, 0)] },
    { id: 'm2', content: 'beta', vectors: [Float32Array.of(0, 1)] },
    { id: 'm3', content: 'gamma delta' },
  );
  const vectors = [Float32Array.of(1, 0), Float32Array.of(1, 0)];

  expect(ids(search(index, 'omega', { vectors }))[0]).toBe('m1');
  expect(ids(search(index, 'gamma delta', { vectors }))[0]).toBe('m3');
  index.apply([{ change: 'embed', id: 'm2' as MemoryId, vectors: [Float32Array.of(1, 0)] }]);
  index.apply([{ change: 'embed', id: 'm1' as MemoryId, vectors: [Float32Array.of(0, 1)] }]);
  expect(ids(search(index, 'omega', { vectors }))[0]).toBe('m2');
});

test('of equals the pinned, the important and the new come first', () => {
  const content = 'the same words';
  const index = openWith(
    { id: 'm1', content, timestampMs: NOW },
    { id: 'm2', content, pinned: true },
    { id: 'm3', content, priorityScore: 15, accessCount: 9, accessedAtMs: NOW },
    { id: 'm4', content },
  );

  const ranked = search(index, 'same words');

  expect(ids(ranked)).toEqual(['m3', 'm2', 'm1', 'm4']);
  expect(ranked[0]?.why).toMatchObject({ priority: 0.6 });
  expect(ranked[1]?.why).toMatchObject({ pin: 0.6 });
});

test('works in other languages', () => {
  const index = openWith(
    { id: 'm1', content: '私は東京タワーに行きました' },
    { id: 'm2', content: 'Вчера мы ездили в Казань' },
    { id: 'm3', content: 'Die Brücke über die Elbe ist gesperrt' },
  );

  expect(ids(search(index, '東京'))).toEqual(['m1']);
  expect(ids(search(index, 'Казань'))).toEqual(['m2']);
  expect(ids(search(index, 'BRÜCKE'))).toEqual(['m3']);
});

const WORDS = ['tea', 'rain', 'went', 'blue', 'Ana', 'the', '7', 'May', '?', '東京', '"', 'NEAR('];
const phrase = fc
  .array(fc.constantFrom(...WORDS), { maxLength: 8 })
  .map((words) => words.join(' '));
const vector = fc
  .array(fc.integer({ min: -3, max: 3 }), { minLength: 4, maxLength: 4 })
  .map((values) => Float32Array.from(values, (value) => value / 6));
const memory = fc
  .record({
    id: fc.integer({ min: 0, max: 14 }).map((number) => `m${number + 10}`),
    content: fc.tuple(fc.constantFrom('', 'Ana: ', 'Tom: '), phrase).map((parts) => parts.join('')),
    owner: fc.constantFrom('operator', 'user:1'),
    agentId: fc.constantFrom('a1', 'a2', 'a3'),
    projectId: fc.constantFrom('p1', 'p2'),
    sessionId: fc.constantFrom(undefined, 's1', 's2'),
    source: fc.constantFrom('chat', 'web'),
    tags: fc.constantFrom([], ['red'], ['red', 'speaker:Tom']),
    timestampMs: fc.integer({ min: 0, max: 3 }),
    priorityScore: fc.integer({ min: 0, max: 15 }),
    pinned: fc.boolean(),
    isPrivate: fc.boolean(),
    vectors: fc.array(vector, { maxLength: 2 }),
  })
  .map(createIndexedMemory);
const change: fc.Arbitrary<IndexChange> = fc.oneof(
  { weight: 5, arbitrary: memory.map(put) },
  { weight: 1, arbitrary: memory.map(({ id }): IndexChange => ({ change: 'remove', id })) },
  {
    weight: 1,
    arbitrary: memory.map(({ id, vectors }): IndexChange => ({ change: 'embed', id, vectors })),
  },
);
const filter = fc.record(
  {
    owner: fc.constantFrom('operator', 'user:1', 'nobody'),
    readerId: fc.constantFrom('a1', 'a2', 'nobody'),
    isOwnOnly: fc.boolean(),
    privateAgentIds: fc.constantFrom([], ['a2'], ['a1', 'a3']),
    projectId: fc.constantFrom('p1', 'p3'),
    withPinned: fc.boolean(),
    agentId: fc.constantFrom('a1', 'a2'),
    sessionId: fc.constantFrom('s1', 's3'),
    source: fc.constantFrom('web'),
    tags: fc.constantFrom(['red'], ['red', 'blue']),
    sinceMs: fc.integer({ min: 0, max: 3 }),
    untilMs: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: ['privateAgentIds'] },
);

/** What is there after all changes, in another order than they came. */
function replay(changes: readonly IndexChange[]): IndexedMemory[] {
  const there = new Map<string, IndexedMemory>();
  for (const one of changes) {
    if (one.change === 'remove') there.delete(one.id);
    else if (one.change === 'embed') {
      const known = there.get(one.id);
      if (known) there.set(one.id, { ...known, vectors: one.vectors });
    } else {
      const known = there.get(one.memory.id);
      const isSame =
        known?.content === one.memory.content && known.tags.join() === one.memory.tags.join();
      const vectors =
        isSame && one.memory.vectors.length === 0 ? known.vectors : one.memory.vectors;
      there.set(one.memory.id, { ...one.memory, vectors });
    }
  }
  return [...there.values()].reverse();
}

const query = fc.record({
  text: phrase,
  vectors: fc.option(fc.tuple(vector, vector), { nil: undefined }),
  filter: filter as fc.Arbitrary<MemoryFilter>,
  limit: fc.integer({ min: 1, max: 20 }),
});

test('changes one by one lead to what an index made anew has', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), query, (changes, asked) => {
      const grown = createInlineIndex();
      for (const one of changes) grown.apply([one]);
      const fresh = createInlineIndex();
      fresh.apply(replay(changes).map(put));

      expect(grown.search({ ...asked, nowMs: NOW })).toEqual(
        fresh.search({ ...asked, nowMs: NOW }),
      );
      expect(grown.prepare(asked)).toEqual(fresh.prepare(asked));
    }),
  );
});

test('what a filter hides never appears; scores fall from 1 to 0', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), query, (changes, asked) => {
      const there = replay(changes);
      const allowed = there.filter((one) => isAllowed(one, asked.filter));
      const index = createInlineIndex();
      index.apply(there.map(put));

      const ranked = index.search({ ...asked, nowMs: NOW });

      expect(ids(ranked).filter((id) => !allowed.some((one) => one.id === id))).toEqual([]);
      expect(new Set(ids(ranked)).size).toBe(ranked.length);
      const scores = [1, ...ranked.map(({ score }) => score), 0];
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    }),
  );
});

/** The rule once more, written for one memory at a time. */
function isAllowed(one: IndexedMemory, wanted: MemoryFilter): boolean {
  const isOwn = wanted.readerId === one.agentId;
  const isShared = !one.isPrivate && !wanted.privateAgentIds.includes(one.agentId);
  return (
    (wanted.owner === undefined || wanted.owner === one.owner) &&
    (isOwn || (isShared && wanted.isOwnOnly !== true)) &&
    (wanted.projectId === undefined ||
      wanted.projectId === one.projectId ||
      (wanted.withPinned === true && one.pinned)) &&
    (wanted.agentId === undefined || wanted.agentId === one.agentId) &&
    (wanted.sessionId === undefined || wanted.sessionId === one.sessionId) &&
    (wanted.source === undefined || wanted.source === one.source) &&
    (wanted.tags ?? []).every((tag) => one.tags.includes(tag)) &&
    one.timestampMs >= (wanted.sinceMs ?? 0) &&
    one.timestampMs <= (wanted.untilMs ?? NOW)
  );
}

test('any text can be stored and asked for', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      '"; DROP TABLE memories; --',
      'a NEAR(b, 2) OR * AND NOT "',
      '\0\0\0',
      '👩‍👩‍👧‍👦 🇵🇹 é',
      '((((a+)+)+)+)$'.repeat(200),
      `${'x'.repeat(100_000)}`,
      `${'word '.repeat(20_000)}`,
      'Ana: '.repeat(5_000),
      '2023-05-'.repeat(2_000),
      '[['.repeat(20_000),
      ' '.repeat(50_000),
      '\ud800',
    ),
  );
  fc.assert(
    fc.property(nasty, nasty, (content, text) => {
      const index = openWith({ id: 'm1', content, tags: [content.slice(0, 50)], sessionId: text });
      const ranked = search(index, text);
      expect(ranked.length).toBeLessThanOrEqual(1);
      index.prepare({ text, filter: EVERYBODY });
      index.apply([{ change: 'remove', id: 'm1' as MemoryId }]);
      expect(search(index, text)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('room of what was removed is used again', () => {
  const index = createInlineIndex();
  for (let round = 0; round < 6; round += 1) {
    const changes = Array.from({ length: 1_500 }, (_, number) =>
      put(
        createIndexedMemory({ id: `m${number}`, content: `round${round} number${number} common` }),
      ),
    );
    index.apply(changes);
  }

  expect(search(index, 'round4')).toEqual([]);
  expect(ids(search(index, 'round5 number77'))[0]).toBe('m77');
  expect(search(index, 'common', { limit: 100 })).toHaveLength(100);
});

test('what a reader may not see shifts none of its figures', () => {
  const shown = [
    { id: 'm1', content: 'The heron stands in the pond at dawn.' },
    { id: 'm2', content: 'A pond needs shade.', agentId: 'b' },
  ];
  const kept = ['heron', 'pond', 'a heron at dawn', 'shade for the pond'].flatMap(
    (content, index) => [
      { id: `p${index}`, content, agentId: 'a', isPrivate: true },
      { id: `o${index}`, content, owner: 'user:1' },
      { id: `q${index}`, content, agentId: 'now-private' },
    ],
  );
  const filter = {
    ...EVERYBODY,
    owner: 'operator',
    readerId: 'b',
    privateAgentIds: ['now-private'],
  };
  const alone = search(openWith(...shown), 'heron in the pond', { filter });

  expect(alone).toHaveLength(2);
  expect(search(openWith(...shown, ...kept), 'heron in the pond', { filter })).toEqual(alone);
  // One is hidden among many, and many among few.
  expect(search(openWith(...shown, ...kept.slice(0, 1)), 'heron in the pond', { filter })).toEqual(
    alone,
  );
});
