import { expect, test } from 'vitest';
import { RuntimeError } from './errors.ts';
import { createReadiness } from './readiness.ts';

function openReadiness() {
  const state = { isStarted: true, isAway: false };
  const readiness = createReadiness({
    isStarted: () => state.isStarted,
    async ping() {
      if (state.isAway) throw new RuntimeError('storage_unavailable', 'the store is away');
    },
  });
  const verdict = async () => {
    const isReady = await readiness.assertReady().then(
      () => 'ready',
      (error: RuntimeError) => error.message,
    );
    try {
      readiness.assertTakesWork();
      return `${isReady}, takes work`;
    } catch {
      return `${isReady}, refuses work`;
    }
  };
  return { readiness, state, verdict };
}

test('goes from its start to its end', async () => {
  const { readiness, state, verdict } = openReadiness();
  state.isStarted = false;
  const seen = [await verdict()];
  readiness.open();
  seen.push(await verdict());
  state.isStarted = true;
  seen.push(await verdict());
  readiness.leave();
  seen.push(await verdict());
  readiness.refuseWork();
  seen.push(await verdict());

  expect(seen).toEqual([
    'server is starting, takes work',
    'server is starting, takes work',
    'ready, takes work',
    'server is shutting down, takes work',
    'server is shutting down, refuses work',
  ]);
});

test('is not ready without its store, and is again with it', async () => {
  const { readiness, state, verdict } = openReadiness();
  readiness.open();
  state.isAway = true;
  const away = await verdict();
  state.isAway = false;

  expect([away, await verdict()]).toEqual(['the store is away, takes work', 'ready, takes work']);
});

test('does not come back once it was told to stop', async () => {
  const { readiness, verdict } = openReadiness();
  readiness.refuseWork();
  readiness.leave();
  readiness.open();

  expect(await verdict()).toBe('server is shutting down, refuses work');
});
