import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseSlug, isReservedName, SLUG_PATTERN, toSlug } from './agent-slug.ts';

test.each([
  ['Lince', 'lince'],
  ['  Ágata   Núñez 🦀 ', 'agata-nunez'],
  ['../../etc/passwd', 'etc-passwd'],
  ['a/b\\c', 'a-b-c'],
  ['agent_default', 'agent_default'],
  ['Ｆｕｌｌ ﬁt', 'full-fit'],
  ['x'.repeat(200), 'x'.repeat(56)],
])('the slug of %j is %j', (name, slug) => {
  expect(toSlug(name)).toBe(slug);
});

test.each(['', '🦀', '///', '...', '---', '日本'])('nothing is left of %j', (name) => {
  expect(toSlug(name)).toBeUndefined();
});

test.each(['handoff', 'handoffs', 'spawn'])(
  'no agent gets the slug %s, which is a route',
  (wish) => {
    expect(chooseSlug(wish, new Set())).toBe(`${wish}-2`);
    expect(chooseSlug(wish, new Set([`${wish}-2`]))).toBe(`${wish}-3`);
  },
);

test('whatever a name holds, its slug can name a file, also with a number', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(50), (name, others) => {
      const wish = toSlug(name);
      if (wish === undefined || isReservedName(wish)) return;
      const taken = new Set(Array.from({ length: others }, (_, index) => `${wish}-${index + 2}`));

      expect(chooseSlug(wish, new Set([...taken, wish]))).toBe(`${wish}-${others + 2}`);
      expect(`${wish}-${others + 2}`).toMatch(SLUG_PATTERN);
    }),
  );
});
