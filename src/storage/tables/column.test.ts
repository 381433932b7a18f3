import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareTexts } from '../../core/compare-texts.ts';
import {
  type Column,
  decodeValue,
  encodeValue,
  isStorableId,
  type Kind,
  toColumns,
} from './column.ts';

const columnOf = (kind: Kind): Column => ({
  field: 'itsName',
  name: 'its_name',
  kind,
  isOptional: true,
});

/** With NUL, its escape, halves of characters and whole ones. */
const unit = fc.oneof(
  fc.constantFrom('\0', '\u0001', '\u0002', '\ud83e', '\udd80', '🦀', 'a', '"', '\\'),
  fc.nat(0xffff).map((code) => String.fromCharCode(code)),
);
const anyText = fc.string({ unit });
const wellFormedText = anyText.filter((text) => text.isWellFormed());

const anyJson = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));

const VALUES: Readonly<Record<Kind, fc.Arbitrary<unknown>>> = {
  text: anyText,
  id: anyText.filter(isStorableId),
  ordered: wellFormedText,
  json: anyJson.filter((value) => value !== null),
  loose: anyJson,
  ms: fc.maxSafeInteger(),
  int: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(-0, 2 ** 53 - 1, 1 - 2 ** 53)),
  real: fc.double(),
  flag: fc.boolean(),
  blob: fc.uint8Array(),
};

describe.each(Object.entries(VALUES))('a column of kind %s', (kind, values) => {
  const column = columnOf(kind as Kind);

  test('gives back what it was given', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(decodeValue(column, encodeValue(column, value))).toStrictEqual(value);
      }),
    );
  });

  test('has NULL for what is not there', () => {
    expect(encodeValue(column, undefined)).toBeNull();
    expect(decodeValue(column, null)).toBeUndefined();
  });
});

test.each(['text', 'ordered'] as const)('%s holds no NUL, and equal texts stay equal', (kind) => {
  const encode = (text: string) => encodeValue(columnOf(kind), text) as string;
  const texts = kind === 'text' ? anyText : wellFormedText;
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      expect(encode(a)).not.toContain('\0');
      expect(encode(a) === encode(b)).toBe(a === b);
    }),
  );
});

test('text and json hold no half of a character, which UTF-8 has no bytes for', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const kind of ['text', 'json'] as const)
        expect((encodeValue(columnOf(kind), text) as string).isWellFormed()).toBe(true);
    }),
  );
});

test('ordered is stored in the order of the original', () => {
  const encode = (text: string) => encodeValue(columnOf('ordered'), text) as string;
  fc.assert(
    fc.property(wellFormedText, wellFormedText, (a, b) => {
      expect(compareTexts(encode(a), encode(b))).toBe(compareTexts(a, b));
    }),
  );
});

test('a truth value of SQLite is a number', () => {
  expect(decodeValue(columnOf('flag'), 1)).toBe(true);
  expect(decodeValue(columnOf('flag'), 0)).toBe(false);
});

test.each(['', '{', 'nul', '"a'])(
  'what reads %j is a fault, and null to those who know what to do about it',
  (damaged) => {
    expect(decodeValue(columnOf('loose'), damaged)).toBeNull();
    for (const kind of ['text', 'json'] as const) {
      expect(() => decodeValue(columnOf(kind), damaged)).toThrow("a stored itsName can't be read");
    }
  },
);

test.each([
  ['a\0b', 'not contain NUL'],
  ['\0', 'not contain NUL'],
  ['a\ud83e', 'be well-formed text'],
])('an id such as %j is refused', (id, need) => {
  expect(isStorableId(id)).toBe(false);
  expect(() => encodeValue(columnOf('id'), id)).toThrow(`itsName must ${need}`);
});

test('what is paged by is refused when it would come back as something else', () => {
  expect(() => encodeValue(columnOf('ordered'), 'a\ud83e')).toThrow('itsName must be well-formed');
});

test('members are columns in small letters, unless they have a name of their own', () => {
  const columns = toColumns<{ createdAtMs: number; from: string; x?: boolean }>(
    { createdAtMs: 'ms', from: 'id', x: 'flag?' },
    { from: 'sender' },
  );

  expect(columns).toEqual([
    { field: 'createdAtMs', name: 'created_at_ms', kind: 'ms', isOptional: false },
    { field: 'from', name: 'sender', kind: 'id', isOptional: false },
    { field: 'x', name: 'x', kind: 'flag', isOptional: true },
  ]);
});
