import { expect, test } from 'vitest';
import { createInputCheck } from './input-check.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', pattern: '^(a+)+$', default: 'Oslo' },
    pattern: { type: 'integer' },
    where: { $ref: '#/$defs/place' },
  },
  required: ['city'],
  $defs: { place: { type: 'object', properties: { lat: { type: 'number' } } } },
};

test.each([
  [{ city: 'x' }],
  [{ city: 'x', more: [1, { a: null }] }],
  [{ city: 'x', pattern: 3, where: { lat: 1.5 } }],
  [{ city: `${'a'.repeat(60)}!` }],
])('passes %j as it is', (input) => {
  const parsed = createInputCheck(SCHEMA).safeParse(input);

  expect(parsed).toEqual({ success: true, data: input });
});

test.each([
  [{}, ['city']],
  [{ city: 1 }, ['city']],
  [{ city: 'x', pattern: 'three' }, ['pattern']],
  [{ city: 'x', where: { lat: 'north' } }, ['where', 'lat']],
])('refuses %j at %j', (input, path) => {
  const parsed = createInputCheck(SCHEMA).safeParse(input);

  expect(parsed.error?.issues.map((issue) => issue.path)).toEqual([path]);
});

test('leaves the judgement to the server where a schema makes no sense', () => {
  const check = createInputCheck({ type: 'object', properties: { a: { $ref: 'http://x/y' } } });

  expect(check.safeParse({ a: 1 }).success).toBe(true);
  expect(check.safeParse('text').success).toBe(false);
});
