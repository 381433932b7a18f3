import { expect, test } from 'vitest';
import { toBaseForm } from './irregular-forms.ts';
import { stemWord } from './stem-word.ts';

// From the tables of the published algorithm, step by step.
const STEMS: readonly (readonly [string, string])[] = [
  ['caresses', 'caress'],
  ['ponies', 'poni'],
  ['cats', 'cat'],
  ['agreed', 'agre'],
  ['plastered', 'plaster'],
  ['motoring', 'motor'],
  ['sing', 'sing'],
  ['conflated', 'conflat'],
  ['troubled', 'troubl'],
  ['sized', 'size'],
  ['hopping', 'hop'],
  ['falling', 'fall'],
  ['filing', 'file'],
  ['happy', 'happi'],
  ['sky', 'sky'],
  ['relational', 'relat'],
  ['conditional', 'condit'],
  ['digitizer', 'digit'],
  ['vietnamization', 'vietnam'],
  ['operator', 'oper'],
  ['hopefulness', 'hope'],
  ['triplicate', 'triplic'],
  ['goodness', 'good'],
  ['revival', 'reviv'],
  ['adoption', 'adopt'],
  ['controlling', 'control'],
  ['rate', 'rate'],
  ['cease', 'ceas'],
  ['connections', 'connect'],
];

test.each(STEMS)('%s becomes %s', (word, stem) => {
  expect(stemWord(word)).toBe(stem);
});

test('leaves what is no English word alone', () => {
  for (const word of ['is', 'naïve', 'привет', 'x1', '']) expect(stemWord(word)).toBe(word);
});

test('knows irregular forms', () => {
  expect(['went', 'children', 'written', 'hello'].map(toBaseForm)).toEqual([
    'go',
    'kid',
    'write',
    'hello',
  ]);
});
