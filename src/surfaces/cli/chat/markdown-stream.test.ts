import { expect, test } from 'vitest';
import { createStyle, type Style } from '../print/style.ts';
import { MarkdownStream } from './markdown-stream.ts';

/** Emphasis that can be read in a test. */
const marked: Style = {
  ...createStyle({}, false),
  bold: (text) => `<b>${text}</b>`,
  dim: (text) => `<d>${text}</d>`,
  cyan: (text) => `<c>${text}</c>`,
};
const plain = createStyle({}, false);

function render(text: string, { style = marked, columns = 40, pieces = 1 } = {}): string {
  let written = '';
  const stream = new MarkdownStream({
    style,
    columns: () => columns,
    write: (part) => {
      written += part;
    },
  });
  for (let at = 0; at < text.length; at += pieces) stream.feed(text.slice(at, at + pieces));
  stream.end();
  return written;
}

const JOINED = /<\/([bcd])><\1>/g;

const TEXT = [
  '## Two words',
  'A **bold claim** and `code`, 2 ** 3, *stars*.',
  '- one',
  '  1. nested',
  '```js',
  '# no heading ** here',
  '```',
  'after',
].join('\n');

test.each([1, 2, 3, 7, 1_000])('renders the same in pieces of %i characters', (pieces) => {
  expect(render(TEXT, { columns: 80, pieces }).replace(JOINED, '').split('\n')).toEqual([
    '<b>Two</b> <b>words</b>',
    'A <b>bold</b> <b>claim</b> and <c>code</c>, 2 ** 3, *stars*.',
    '<d>• </d>one',
    '<d>  1. </d>nested',
    '<d>```js</d>',
    '<c># no heading ** here</c>',
    '<d>```</d>',
    'after',
    '',
  ]);
});

test('a mark that is never closed ends with its line', () => {
  expect(render('**open\nnext `open\nlast')).toBe('<b>open</b>\nnext <c>open</c>\nlast\n');
});

test('rows break between words, and those of a list stand under its text', () => {
  expect(render('- words that need three rows here', { columns: 14 }).replace(JOINED, '')).toBe(
    '<d>• </d>words that\n  need three\n  rows here\n',
  );
});

test('a word longer than a row is cut, and wide characters count twice', () => {
  expect(render('abcdefghijklmnop', { columns: 11 })).toBe('abcdefghij\nklmnop\n');
  expect(render('日本語日本語', { columns: 11 })).toBe('日本語日本\n語\n');
});

test('nothing in a text gets at the terminal', () => {
  const hostile = 'a\u001b[2Jb\u009b1mc\u0007\rd\u202ee\u2028f\tg';

  expect(render(hostile, { style: plain })).toBe(
    'a\ufffd[2Jb\ufffd1mc\ufffdd\ufffde\ufffdf    g\n',
  );
  expect(render(hostile)).toBe('a\ufffd[2Jb\ufffd1mc\ufffdd\ufffde\ufffdf    g\n');
});

test('without colours the text stays as it was written', () => {
  expect(render(TEXT, { style: plain, columns: 80 })).toBe(`${TEXT}\n`);
});

const RICH = [
  '> quoted **words** that need more than one row of the terminal here',
  '> > deeper',
  'See [the guide](https://example.com/a) and [1] and [x] (y), ![alt](b.png), [https://e.org](https://e.org).',
  '',
  '| Name | Size |',
  '|:-----|-----:|',
  '| **a.txt** | 12 |',
  '| `日本.md` | 3 |',
  'after',
  '~~~',
  '``` | not | a | fence |',
  '~~~',
  '| only a line |',
  'end',
].join('\n');

test.each([1, 2, 5, 1_000])('quotes, links and tables, in pieces of %i characters', (pieces) => {
  expect(render(RICH, { columns: 60, pieces }).replace(JOINED, '').split('\n')).toEqual([
    '<d>│ </d>quoted <b>words</b> that need more than one row of the terminal',
    '<d>│ </d>here',
    '<d>│ │ </d>deeper',
    'See <c>the</c> <c>guide</c> <d>(https://example.com/a)</d> and [1] and [x] (y),',
    '!<c>alt</c> <d>(b.png)</d>, <c>https://e.org</c>.',
    '',
    '<b>Name   </b><d> │ </d><b>Size</b>',
    '<d>────────┼─────</d>',
    'a.txt  <d> │ </d>  12',
    '日本.md<d> │ </d>   3',
    'after',
    '<d>~~~</d>',
    '<c>``` | not | a | fence |</c>',
    '<d>~~~</d>',
    '| only a line |',
    'end',
    '',
  ]);
});

test('a table that is too wide breaks its cells, and one without room stays as it was written', () => {
  const table = '| One | Two |\n|---|---|\n| some long words | and some more |\n';

  const rows = render(table, { columns: 24 })
    .replace(/<[^>]+>/g, '')
    .split('\n');

  expect(rows.map((row) => row.trimEnd())).toEqual([
    'One        │ Two',
    '───────────┼───────────',
    'some long  │ and some',
    'words      │ more',
    '',
  ]);
  expect(render(table, { columns: 9 })).toContain('| One |');
});

test('a text that ends in the middle of a table, a link or a quotation is shown whole', () => {
  expect(render('| a | b |\n|---|---|\n| 1 |')).toContain('1');
  expect(render('[half](http://exa')).toBe('[half](http://exa\n');
  expect(render('>').replace(JOINED, '')).toBe('<d>│ </d>\n');
  expect(render('[[[[a](b)')).toBe('[[[<c>a</c> <d>(b)</d>\n');
});

test('escape sequences in tables, links and quotations are taken apart too', () => {
  const hostile =
    '> \u001b[2J\n[\u001b]0;x\u0007](\u009bh)\n| \u001b[31m | b |\n|---|---|\n| \u001b]52;c;x\u0007 | 2 |\n';

  expect(render(hostile)).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('a table without end is not held for ever', () => {
  let written = '';
  const stream = new MarkdownStream({
    style: marked,
    columns: () => 80,
    write: (part) => {
      written += part;
    },
  });

  for (let row = 0; row < 20_000; row += 1) stream.feed('| a | b |\n');

  expect(written.length).toBeGreaterThan(60_000);
});
