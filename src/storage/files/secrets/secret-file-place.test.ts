import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../../../test/support/temp-root.ts';
import { takeTurn } from '../../../core/take-turn.ts';
import { createSecretFilePlace } from './secret-file-place.ts';

test('what another process stored is seen by the next one who asks, in the same turn of the loop', async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'secrets');
  const place = createSecretFilePlace(file);
  const marks: string[] = [];
  const ask = () => void place.readMark().then((mark) => marks.push(mark));

  // Events of one turn, as answers of two models that have come in.
  setImmediate(ask);
  setImmediate(() => writeFileSync(file, 'stored meanwhile'));
  setImmediate(ask);
  await takeTurn();

  expect(marks[0]).toBe('absent');
  expect(marks[1]).not.toBe('absent');
});

test('a tool that never waits gets what was stored while it was at work', async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'secrets');
  const place = createSecretFilePlace(file);

  const before = await place.readMark();
  await (async () => writeFileSync(file, 'stored meanwhile'))();

  expect(await place.readMark()).not.toBe(before);
});
