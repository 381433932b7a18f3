import { expect, test } from 'vitest';
import { createStyle, type Style } from '../style.ts';
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
