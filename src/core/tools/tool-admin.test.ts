import { expect, test } from 'vitest';
import * as z from 'zod';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { BreakerStore } from '../reliability/breakers/breaker-store.ts';
import { MemoryBreakerStore } from '../reliability/breakers/memory-breaker-store.ts';
import { createReliability } from '../reliability/create-reliability.ts';
import { DEFAULT_RELIABILITY } from '../reliability/settings.ts';
import { createToolRegistry } from './registry.ts';
import { defineTool } from './tool.ts';
import { createToolAdmin } from './tool-admin.ts';

const registry = createToolRegistry([
  defineTool({
    name: 'mail.send',
    description: 'Sends a mail.',
    effect: 'write',
    input: z.strictObject({}),
    execute: async () => ({}),
  }),
]);

/** A process of its own on a shared store. */
function openProcess(clock: ManualClock, breakerStore: BreakerStore) {
  const reliability = createReliability({ clock, breakerStore });
  const admin = createToolAdmin({
    registry,
    reliability,
    callerKeys: reliability.idempotency,
    breakerStore,
    mode: () => 'all',
    settingsOf: () => DEFAULT_RELIABILITY,
    shadow: { report: () => ({ sinceMs: undefined, tools: [] }) },
  });
  return { admin, breakers: reliability.breakers };
}

test('an operator cuts a tool off in every process that shares the circuit', async () => {
  const clock = new ManualClock();
  const store = new MemoryBreakerStore();
  const here = openProcess(clock, store);
  const there = openProcess(clock, store);
  await there.breakers.of('mail.send').admit();

  await here.admin.openCircuit('mail.send');
  const seen = await there.admin.get('mail.send');

  expect(seen.circuit.status).toBe('forced_open');
  expect(await there.breakers.of('mail.send').admit()).toEqual({
    admitted: false,
    status: 'forced_open',
  });
});

test('a reset closes the circuit that another process opened', async () => {
  const clock = new ManualClock();
  const store = new MemoryBreakerStore();
  const there = openProcess(clock, store);
  await there.admin.openCircuit('mail.send');
  const here = openProcess(clock, store);

  const reset = await here.admin.resetCircuit('mail.send');

  expect(reset.circuit).toEqual({ status: 'closed', failures: 0, measured: 0, failed: 0 });
  expect((await there.admin.get('mail.send')).circuit.status).toBe('closed');
});

test('looking at a half open circuit takes no trial from the calls', async () => {
  const clock = new ManualClock();
  const store = new MemoryBreakerStore();
  const retryAtMs = clock.nowMs();
  await store.replace('mail.send', 0, { status: 'open', epoch: 1, retryAtMs });
  const { admin, breakers } = openProcess(clock, store);

  const [listed] = await admin.list();

  expect(listed?.circuit).toMatchObject({ status: 'open', retryInMs: 0 });
  expect(await breakers.of('mail.send').admit()).toMatchObject({ admitted: true, trialId: 1 });
});

test('lists what this process knows while the store is gone', async () => {
  const gone = () => Promise.reject(new Error('connection refused'));
  const store = { find: gone, replace: gone, list: gone };
  const { admin } = openProcess(new ManualClock(), store);
  await admin.openCircuit('mail.send');

  const listed = await admin.list();

  expect(listed.map(({ tool, circuit }) => [tool.name, circuit.status])).toEqual([
    ['mail.send', 'forced_open'],
  ]);
});

test('an unknown tool is an error for every question', async () => {
  const { admin } = openProcess(new ManualClock(), new MemoryBreakerStore());

  const questions = [
    admin.get('mail.sned'),
    admin.openCircuit('mail.sned'),
    admin.resetCircuit('mail.sned'),
    admin.listKeys('mail.sned', { limit: 1 }),
    admin.flushKeys('mail.sned'),
  ];

  for (const question of questions) {
    await expect(question).rejects.toMatchObject({ code: 'tool_not_found' });
  }
});
