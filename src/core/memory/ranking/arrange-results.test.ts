import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arrangeResults } from './arrange-results.ts';
import { scaleScore } from './scale-score.ts';
import { scoreStanding } from './standing.ts';

const candidates = fc
  .array(
    fc.record({
      score: fc.double({ min: -50, max: 50, noNaN: true }),
      conversation: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
      isExact: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.toSorted((a, b) => b.score - a.score));

test('gives as many as asked for, each once, the first ten by score', () => {
  fc.assert(
    fc.property(candidates, fc.integer({ min: 1, max: 80 }), (sorted, limit) => {
      const arranged = arrangeResults(sorted, limit);

      expect(arranged).toHaveLength(Math.min(limit, sorted.length));
      expect(new Set(arranged).size).toBe(arranged.length);
      if (sorted.every(({ isExact }) => !isExact)) {
        expect(arranged.slice(0, 10)).toEqual(sorted.slice(0, Math.min(limit, 10)));
      }
    }),
  );
});

test('leaves out nobody who says exactly what was asked for, as long as there is room', () => {
  fc.assert(
    fc.property(candidates, fc.integer({ min: 1, max: 80 }), (sorted, limit) => {
      const exact = sorted.filter(({ isExact }) => isExact);
      fc.pre(exact.length <= limit);

      expect(arrangeResults(sorted, limit)).toEqual(expect.arrayContaining(exact));
    }),
  );
});

test('after ten every conversation has a word, then the rest follows', () => {
  const sorted = Array.from({ length: 30 }, (_, index) => ({
    score: 30 - index,
    conversation: index < 25 ? 0 : index,
    isExact: false,
  }));

  const conversations = arrangeResults(sorted, 20).map(({ conversation }) => conversation);

  expect(conversations.slice(10)).toEqual([25, 26, 27, 28, 29, 0, 0, 0, 0, 0]);
});

test('scales any sum into 0 to 1, in order', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
      const [low, high] = [scaleScore(Math.min(a, b)), scaleScore(Math.max(a, b))];
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(high);
    }),
  );
});

test('what speaks for a memory whatever is asked is bounded', () => {
  const any = fc.double();
  const standing = fc.record({
    priorityScore: any,
    pinned: fc.boolean(),
    timestampMs: any,
    accessCount: any,
    accessedAtMs: any,
  });
  fc.assert(
    fc.property(standing, (given) => {
      const { priority, pin, recency, access } = scoreStanding(given, 1e12);
      const sum = priority + pin + recency + access;
      expect(sum).toBeGreaterThanOrEqual(0);
      expect(sum).toBeLessThanOrEqual(1.7 + 1e-9);
    }),
  );
});
