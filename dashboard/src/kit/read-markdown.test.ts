import { expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';

const types = (text: string) => readMarkdown(text)?.map(({ type }) => type);

test('reads what people write', () => {
  expect(types('# A\n\n- b\n  - c\n\n> d\n\n```\ne\n```')).toEqual([
    'heading',
    'space',
    'list',
    'space',
    'blockquote',
    'space',
    'code',
  ]);
  expect(types(`Signed: ${'_'.repeat(60)}\n\n${'*'.repeat(80)}`)).toEqual([
    'paragraph',
    'space',
    'hr',
  ]);
});

test.each([
  ['quotes in quotes', '> '.repeat(5_000)],
  ['quotes without a space', '>'.repeat(5_000)],
  ['lists in lists on one line', `${'- '.repeat(5_000)}a`],
  ['lists in lists', Array.from({ length: 200 }, (_, at) => `${' '.repeat(at * 2)}- a`).join('\n')],
  ['underlines', `${'_'.repeat(5_000)}a`],
  ['stars', `${'*'.repeat(5_000)}a`],
  ['too much of anything', 'word '.repeat(50_000)],
])('leaves %s as they were written', (_name, text) => {
  expect(readMarkdown(text)).toBeUndefined();
});
