import { expect, test } from 'vitest';
import { parseFrontMatter } from './parse-front-matter.ts';

function fieldsOf(...lines: readonly string[]): Record<string, string> | undefined {
  const matter = parseFrontMatter(['---', ...lines, '---', 'body'].join('\n'));
  return matter && Object.fromEntries(matter.fields);
}

test('reads fields and gives back the text below them', () => {
  const matter = parseFrontMatter(
    '---\nname: tidy\ndescription: Tidies up\n---\n# Tidy\n\nDo it.\n',
  );

  expect(matter).toEqual({
    fields: new Map([
      ['name', 'tidy'],
      ['description', 'Tidies up'],
    ]),
    body: '# Tidy\n\nDo it.\n',
  });
});

test('takes a text without front matter as it is', () => {
  expect(parseFrontMatter('# Tidy\n---\nname: no\n---\n')).toEqual({
    fields: new Map(),
    body: '# Tidy\n---\nname: no\n---\n',
  });
});

test('refuses front matter that is never closed', () => {
  expect(parseFrontMatter('---\nname: tidy\n')).toBeUndefined();
  expect(parseFrontMatter('---')).toBeUndefined();
});

test('understands a byte order mark, carriage returns and the other closing line', () => {
  const matter = parseFrontMatter('\uFEFF---\r\nname: tidy\r\n...\r\nbody');

  expect(matter).toEqual({ fields: new Map([['name', 'tidy']]), body: 'body' });
});

test('reads texts in every form they are written in', () => {
  expect(
    fieldsOf(
      'plain: one: two # three',
      'hash: a#b',
      'double: "say \\"hi\\"\\nthere" # quoted',
      "single: 'it''s'",
      'folded: >-',
      '  first',
      '  second',
      'literal: |',
      '  first',
      '  second',
      'wrapped: first',
      '  second',
      'empty:',
      'list:',
      '  - a',
      'plain: ignored, the first counts',
    ),
  ).toEqual({
    plain: 'one: two',
    hash: 'a#b',
    double: 'say "hi"\nthere',
    single: "it's",
    folded: 'first second',
    literal: 'first\nsecond',
    wrapped: 'first second',
    empty: '',
    list: '- a',
  });
});

test('passes over lines that are no field', () => {
  expect(fieldsOf('# a remark', '- item', 'no colon', ': nameless', 'name: x')).toEqual({
    name: 'x',
  });
});
