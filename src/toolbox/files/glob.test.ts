import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureOf } from '../test-workspace.ts';
import { createGlob } from './glob.ts';

const PATHS = [
  'a.ts',
  'b.tsx',
  '.env',
  'src/a.ts',
  'src/b.js',
  'src/deep/er/c.ts',
  'src/[id].ts',
  'src/{x}.ts',
  'ünï/ç😀.txt',
];

test.each([
  ['*', ['a.ts', 'b.tsx', '.env']],
  ['*.ts', ['a.ts']],
  ['?.ts*', ['a.ts', 'b.tsx']],
  ['**', PATHS],
  ['**/*', PATHS],
  ['**/*.ts', ['a.ts', 'src/a.ts', 'src/deep/er/c.ts', 'src/[id].ts', 'src/{x}.ts']],
  ['src/**', ['src/a.ts', 'src/b.js', 'src/deep/er/c.ts', 'src/[id].ts', 'src/{x}.ts']],
  ['src/', ['src/a.ts', 'src/b.js', 'src/deep/er/c.ts', 'src/[id].ts', 'src/{x}.ts']],
  ['./src/*.js', ['src/b.js']],
  ['src/**/c.ts', ['src/deep/er/c.ts']],
  ['src/**/er/**/c.ts', ['src/deep/er/c.ts']],
  ['src/d**p/er/*', ['src/deep/er/c.ts']],
  ['src**', []],
  ['*.{ts,tsx}', ['a.ts', 'b.tsx']],
  ['{a,src/{a,b}}.{ts,js}', ['a.ts', 'src/a.ts', 'src/b.js']],
  ['{src/**,*}', PATHS.filter((path) => !path.startsWith('ünï'))],
  ['a{,x}.ts', ['a.ts']],
  ['[ab].ts*', ['a.ts', 'b.tsx']],
  ['[!a].ts*', ['b.tsx']],
  ['[^b-z].ts', ['a.ts']],
  ['src[/]a.ts', []],
  ['src?a.ts', []],
  ['src/[[]id[]].ts', ['src/[id].ts']],
  ['src/\\[id\\].ts', ['src/[id].ts']],
  ['src/\\{x\\}.ts', ['src/{x}.ts']],
  ['ün?/ç?.txt', ['ünï/ç😀.txt']],
  ['[a-]', []],
  ['no/**', []],
])('%s', (pattern, expected) => {
  const glob = createGlob(pattern);

  expect(PATHS.filter((path) => glob.matches(path))).toEqual(expected);
});

test.each([
  ['src/*.ts', ['src']],
  ['src/*/c.ts', ['src', 'src/deep']],
  ['**/c.ts', ['src', 'src/deep', 'lib']],
  ['{lib,src/deep}/*', ['src', 'src/deep', 'lib']],
  ['*.ts', []],
  ['src', []],
])('%s looks only into directories that can hold a match', (pattern, expected) => {
  const glob = createGlob(pattern);

  const entered = ['src', 'src/deep', 'lib'].filter((path) => glob.canMatchInside(path));

  expect(entered).toEqual(expected);
});

test.each([
  ['/etc/*', 'pattern must be relative to path, without a / in front'],
  ['../*', 'pattern must not contain ..'],
  ['a/../b', 'pattern must not contain ..'],
  ['./', 'pattern must not be empty'],
  ['{a,b', 'pattern has a { without its }; \\{ stands for the character'],
  ['[ab', 'pattern has a [ without its ]; \\[ stands for the character'],
  ['[]', 'pattern has a [ without its ]; \\[ stands for the character'],
  ['a\\', 'pattern must not end in a backslash'],
])('refuses %s', async (pattern, message) => {
  const failure = await failureOf(Promise.resolve().then(() => createGlob(pattern)));

  expect(failure).toEqual({ code: 'tool_input_invalid', message, details: { field: 'pattern' } });
});

test.each([
  '*a'.repeat(200),
  `{${'*a,'.repeat(150)}b}`,
  `${'{*,**/}'.repeat(60)}b`,
  '**/'.repeat(160),
])('takes no more steps for a hostile pattern than for its length', (pattern) => {
  const glob = createGlob(pattern);
  const path = Array.from({ length: 40 }, () => 'a'.repeat(100)).join('/');
  const startMs = performance.now();

  expect(glob.matches(`${path}!`)).toBe(pattern.endsWith('**/'));
  expect(performance.now() - startMs).toBeLessThan(3_000);
});

test('agrees with a regular expression where one is safe', () => {
  const piece = fc.constantFrom('a', 'b', '?', '*', '/');
  const patterns = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));
  const paths = fc
    .array(fc.constantFrom('a', 'b', '/'), { maxLength: 8 })
    .map((all) => all.join(''));

  fc.assert(
    fc.property(patterns, paths, (pattern, path) => {
      fc.pre(!pattern.startsWith('/') && !pattern.endsWith('/') && !pattern.includes('**'));
      const plain = new RegExp(`^${pattern.replace(/\*/g, '[^/]*').replace(/\?/g, '[^/]')}$`);
      expect(createGlob(pattern).matches(path)).toBe(plain.test(path));
    }),
    { numRuns: 3_000 },
  );
});
