import { expect, test } from 'vitest';
import { readQuestion, toQuestionForms } from './read-question.ts';
import { findSpeaker, withoutSpeaker } from './speakers.ts';
import { toTerms } from './terms.ts';

const NOW = Date.UTC(2026, 0, 15);
const KNOWN = new Set(['ines', 'tom baker', 'jose']);
const isSpeaker = (name: string) => KNOWN.has(name);
const read = (text: string) => readQuestion(text, { isSpeaker, nowMs: NOW });
const termsOf = (text: string) => toTerms(text).map(({ text: term }) => term);

test('folds words of any script', () => {
  expect(termsOf('Cafés, NAÏVE Ｗｏｒｄ')).toEqual(['cafe', 'naiv', 'word']);
  expect(termsOf('Привет, мир')).toEqual(['привет', 'мир']);
  expect(termsOf('東京タワー 1958')).toEqual(['東京', '京タ', 'タワ', 'ワー', '1958']);
  expect(termsOf('हिन्दी')).toEqual(['हिन्दी']);
});

test('takes the names of speakers out of what is looked for', () => {
  const question = read("What did Inês's sister paint in May 2023?");

  expect(question.names).toEqual(['ines']);
  expect(question.terms).toEqual(['sister', 'paint', 'mai', '2023']);
  expect(question.allTerms).toEqual(['ines', 'sister', 'paint', 'mai', '2023']);
  expect(question.dates).toEqual([{ year: 2023, month: 4, day: undefined }]);
});

test('looks for stop words when there is nothing else', () => {
  expect(read('to be or not to be').terms).toEqual(['to', 'be', 'or', 'not']);
  expect(read('?!').terms).toEqual([]);
});

test('finds phrases and identifiers', () => {
  expect(read('where is "the red door" in src/main.ts (ERR-1234)?').phrases).toEqual([
    ['the', 'red', 'door'],
    ['src', 'main', 'ts'],
    ['err', '1234'],
  ]);
});

test.each([
  ['on 7 May 2023', { year: 2023, month: 4, day: 7 }],
  ['on May 7th, 2023', { year: 2023, month: 4, day: 7 }],
  ['on 2023-05-07', { year: 2023, month: 4, day: 7 }],
  ['in march', { year: undefined, month: 2, day: undefined }],
  ['in 2022', { year: 2022, month: undefined, day: undefined }],
  ['yesterday', { year: 2026, month: 0, day: 14 }],
])('reads the date of: what happened %s', (said, date) => {
  expect(read(`What happened ${said}?`).dates).toEqual([date]);
});

test.each(['What may I do?', 'Did they march?', 'on 99 May', '2023-13-01x'])(
  'reads no day into: %s',
  (text) => {
    expect(read(text).dates.filter(({ day }) => day !== undefined)).toEqual([]);
  },
);

test.each([
  ['When did Inês see her sister?', 'When did I see my sister?', 'I see my sister'],
  ['What is Tom Baker’s job?', 'What is my job?', 'my job'],
  ['What do Jose and Tom Baker like?', 'What do we like?', 'we like'],
  ['Where does she work?', 'Where does she work?', 'she work'],
  ['hiking', 'hiking', 'hiking'],
])('says %s as who was there', (question, said, stated) => {
  expect(toQuestionForms(question, isSpeaker)).toEqual([said, stated]);
});

test('tells who speaks by label or tag', () => {
  expect(findSpeaker('Inês Silva: hello', [])).toBe('ines silva');
  expect(findSpeaker('hello', ['a', 'speaker:José'])).toBe('jose');
  expect(findSpeaker('Note: buy milk', [])).toBeUndefined();
  expect(findSpeaker('https://a.example: no', [])).toBeUndefined();
  expect(findSpeaker('it was like this, as they told me again: no', [])).toBeUndefined();
  expect(withoutSpeaker('Tom: I ran.')).toBe('I ran.');
  expect(withoutSpeaker('Tom: ')).toBe('Tom: ');
});
