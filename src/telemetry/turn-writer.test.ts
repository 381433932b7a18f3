import { expect, test } from 'vitest';
import { takeTurn } from '../core/take-turn.ts';
import { createTurnWriter } from './turn-writer.ts';

test('the lines of one turn are written together, in order, when it ends', async () => {
  const written: string[] = [];
  const writer = createTurnWriter((text) => written.push(text));

  writer.write('one\n');
  writer.write('two\n');
  expect(written).toEqual([]);

  await takeTurn();
  expect(written).toEqual(['one\ntwo\n']);
  writer.write('three\n');
  await takeTurn();
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});

test('what is flushed is written at once, and only once', async () => {
  const written: string[] = [];
  const writer = createTurnWriter((text) => written.push(text));

  writer.write('last words\n');
  writer.flush();
  writer.flush();
  await takeTurn();

  expect(written).toEqual(['last words\n']);
});

test('a turn that says much holds little of it', () => {
  const written: string[] = [];
  const writer = createTurnWriter((text) => written.push(text));
  const line = `${'x'.repeat(999)}\n`;

  for (let count = 0; count < 1_000; count += 1) writer.write(line);
  writer.flush();

  expect(written.join('')).toBe(line.repeat(1_000));
  expect(Math.max(...written.map(({ length }) => length))).toBeLessThan(70_000);
});
