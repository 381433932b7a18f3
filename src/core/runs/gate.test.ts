import { expect, test } from 'vitest';
import { createGate } from './gate.ts';

test('passing an open gate takes a turn of the event loop, so that a loop of it holds nobody up', async () => {
  const gate = createGate();
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });

  gate.open();
  await gate.wait();

  expect(hasTurned).toBe(true);
});
