import { expect, test } from 'vitest';
import { findProblems, type Schema } from './validate-schema.ts';

const PERSON: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$' },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    tags: { type: 'array', items: { enum: ['a', 'b'] } },
    extra: { type: 'object', additionalProperties: true },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['name'],
};

test.each<[value: unknown, problems: string[]]>([
  [{ name: 'ann', age: 3, tags: ['a'], extra: { any: 1 }, note: null }, []],
  [{}, ['$.name: is missing']],
  ['ann', ['$: is string, not object']],
  [{ name: 'Ann' }, ['$.name: Ann does not match']],
  [{ name: 'ann', age: 1.5 }, ['$.age: is number, not integer']],
  [{ name: 'ann', age: -1 }, ['$.age: is too small']],
  [{ name: 'ann', age: 151 }, ['$.age: is too large']],
  [{ name: 'ann', tags: ['a', 'c'] }, ['$.tags[1]: is "c", not one of a, b']],
  [{ name: 'ann', note: 1 }, ['$.note: is integer, not string']],
  [{ name: 'ann', nickname: 'a' }, ['$.nickname: is not described']],
])('finds what is wrong with %j', (value, problems) => {
  expect(findProblems(PERSON, value)).toEqual(problems);
});

test('oneOf fits exactly once, and references are followed', () => {
  const schema = {
    oneOf: [{ $ref: '#/$defs/ok' }, { $ref: '#/$defs/bad' }],
    $defs: {
      ok: { type: 'object', properties: { code: { const: 0 } }, required: ['code'] },
      bad: { type: 'object', properties: { code: { type: 'integer' } }, required: ['code'] },
    },
  };

  expect(findProblems(schema, { code: 1 })).toEqual([]);
  expect(findProblems(schema, { code: 0 })).toEqual(['$: fits 2 branches of oneOf']);
  expect(findProblems(schema, { code: 'x' })).toEqual(['$.code: is "x", not 0']);
});

test('what allOf says holds too, and its members are described', () => {
  const schema = {
    allOf: [{ $ref: '#/$defs/named' }],
    properties: { age: { type: 'integer' }, name: { const: 'ann' } },
    required: ['age'],
    $defs: {
      named: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  };

  expect(findProblems(schema, { age: 3, name: 'ann' })).toEqual([]);
  expect(findProblems(schema, { age: 3 })).toEqual(['$.name: is missing']);
  expect(findProblems(schema, { age: 3, name: 'bob' })).toEqual(['$.name: is "bob", not "ann"']);
  expect(findProblems(schema, { age: 3, name: 'ann', note: 1 })).toEqual([
    '$.note: is not described',
  ]);
});

test('a keyword that is not understood is refused instead of passing unseen', () => {
  expect(() => findProblems({ minLength: 3 }, 'x')).toThrow('the schema says minLength');
});
