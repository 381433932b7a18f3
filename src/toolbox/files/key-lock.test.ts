import { expect, test } from 'vitest';
import { createKeyLock } from './key-lock.ts';

test('hands a key on in order of asking and forgets it afterwards', async () => {
  const lock = createKeyLock();
  const order: string[] = [];
  const use = async (name: string) => {
    const release = await lock.acquire('a');
    order.push(`${name} in`);
    await Promise.resolve();
    order.push(`${name} out`);
    release();
  };

  await Promise.all([use('first'), use('second'), use('third')]);

  expect(order).toEqual([
    'first in',
    'first out',
    'second in',
    'second out',
    'third in',
    'third out',
  ]);
  expect(lock.size).toBe(0);
});

test('keeps different keys apart', async () => {
  const lock = createKeyLock();

  const releases = [await lock.acquire('a'), await lock.acquire('b')];

  expect(lock.size).toBe(2);
  for (const release of releases) release();
  expect(lock.size).toBe(0);
});
