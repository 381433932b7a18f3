import { expect, test } from 'vitest';
import { AnswerStream } from './answer-stream.ts';

function open() {
  const shown: string[] = [];
  const stream = new AnswerStream(
    (text) => shown.push(text),
    () => shown.push('<again>'),
  );
  return { stream, shown };
}

test('an attempt that repeats what is shown goes on behind it', () => {
  const { stream, shown } = open();
  stream.begin(1);
  stream.add('one two ');

  stream.begin(1);
  for (const piece of ['one', ' two th', 'ree', ' four']) stream.add(piece);

  expect(shown).toEqual(['one two ', 'th', 'ree', ' four']);
  expect(stream.shown).toBe('one two three four');
});

test('an attempt that says something else begins again', () => {
  const { stream, shown } = open();
  stream.begin(1);
  stream.add('one two');

  stream.begin(1);
  stream.add('one');
  stream.add(' and a half');

  expect(shown).toEqual(['one two', '<again>', 'one and a half']);
  expect(stream.shown).toBe('one and a half');
});

test('the next turn has a text of its own, also when it is the same', () => {
  const { stream, shown } = open();
  stream.begin(1);
  stream.add('same');

  stream.begin(2);
  stream.add('same');

  expect(shown).toEqual(['same', 'same']);
});
