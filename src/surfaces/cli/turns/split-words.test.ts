import { expect, test } from 'vitest';
import { splitWords } from './split-words.ts';

test.each([
  ['', []],
  ['  \n ', []],
  ['a b\tc', ['a', 'b', 'c']],
  [`'a b' "c d"`, ['a b', 'c d']],
  [`--name='a b'c`, ['--name=a bc']],
  [String.raw`"a \"b\" \\ \n"`, [String.raw`a "b" \ \n`]],
  [String.raw`a\ b \'c`, ['a b', "'c"]],
  [`''`, ['']],
  ['$HOME `ls` *; rm', ['$HOME', '`ls`', '*;', 'rm']],
])('cuts %j', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

test.each([`it's`, 'a "b', 'a\\'])('refuses %j, which is left open', (line) => {
  expect(() => splitWords(line)).toThrow('is left open');
});
