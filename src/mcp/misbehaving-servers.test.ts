import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { createTestGround, until } from './test-clients.ts';

test('gives up on a server that never answers, in the time that it is given', async () => {
  const ground = await createTestGround();
  const { clients, names } = ground.open({ s: ground.server('silent') });
  const startedAtMs = Date.now();

  await clients.tried();

  expect(Date.now() - startedAtMs).toBeGreaterThan(9_000);
  expect(clients.status()).toMatchObject([
    { state: 'waiting', lastError: { phase: 'initialize_handshake' } },
  ]);
  expect(names()).toEqual([]);
});

test('ends at once while a server still owes its first answer', async () => {
  const ground = await createTestGround();
  const { clients } = ground.open({ s: ground.server('silent'), t: ground.server('listless') });
  const startedAtMs = Date.now();

  await clients.close();

  expect(Date.now() - startedAtMs).toBeLessThan(5_000);
});

test('calls the outcome unknown when a server dies in the middle, and connects again', async () => {
  const ground = await createTestGround();
  const { clients, call } = ground.open({ s: ground.server('good') });
  await clients.tried();

  const dying = call('mcp__s__die');

  await expect(dying).rejects.toMatchObject({ code: 'outcome_unknown', retryable: false });
  await expect(call('mcp__s__echo', { text: 'x' })).rejects.toMatchObject({
    code: 'tool_failed',
    retryable: true,
    details: { effect: 'none' },
  });
  await until(() => clients.status()[0]?.state === 'ready');
  expect(await call('mcp__s__echo', { text: 'again' })).toEqual({ content: 'echo again' });
});

test.each([
  ['garbage', 'it prints what is not a JSON-RPC message'],
  ['endless', 'a line is longer than 10485760 bytes'],
])('cuts off a program that prints %s', async (mode, message) => {
  const ground = await createTestGround();
  const { clients } = ground.open({ s: ground.server(mode) });

  await until(() => clients.status()[0]?.state === 'waiting');

  expect(clients.status()[0]?.lastError?.message).toBe(message);
});

test('reads on after lines that are not messages', async () => {
  const ground = await createTestGround();
  const { clients, call } = ground.open({ s: ground.server('banner') });
  await clients.tried();

  expect(await call('mcp__s__echo', { text: 'x' })).toEqual({ content: 'echo x' });
});

test.each(['mcp__s__huge', 'mcp__s__flood'])('cuts off a server over %s', async (name) => {
  const ground = await createTestGround();
  const { clients, call } = ground.open({ s: ground.server('good') });
  await clients.tried();

  await expect(call(name)).rejects.toMatchObject({ code: 'outcome_unknown' });

  await until(() => clients.status()[0]?.state === 'ready');
});

test('tells an answer that is no result from a lost connection, and keeps the connection', async () => {
  const ground = await createTestGround();
  const { clients, call } = ground.open({ s: ground.server('good') });
  await clients.tried();

  await expect(call('mcp__s__nonsense')).rejects.toMatchObject({
    code: 'outcome_unknown',
    message: expect.stringMatching(/^mcp server s answered nonsense with what is no result: /),
    details: { effect: 'unknown' },
  });

  expect(await call('mcp__s__echo', { text: 'x' })).toEqual({ content: 'echo x' });
});

test('a call whose answer is not even JSON ends with its time', async () => {
  const ground = await createTestGround();
  const { clients, call } = ground.open({ s: ground.server('good', { call_timeout_ms: 300 }) });
  await clients.tried();

  await expect(call('mcp__s__babble')).rejects.toMatchObject({
    code: 'timeout',
    message: 'babble did not answer in time',
    retryable: false,
  });

  expect(await call('mcp__s__echo', { text: 'x' })).toEqual({ content: 'echo x' });
});

test('a tool that its server withdraws is gone; the others stay', async () => {
  const ground = await createTestGround();
  const { clients, call, names } = ground.open({ s: ground.server('good') });
  await clients.tried();

  await call('mcp__s__vanish');

  await until(() => !names().includes('mcp__s__vanish'));
  expect(await call('mcp__s__echo', { text: 'x' })).toEqual({ content: 'echo x' });
});

test('hands a large result on whole, for the pipeline to bound', async () => {
  const ground = await createTestGround();
  const { clients, call, registry } = ground.open({
    s: ground.server('good', { max_output_bytes: 2048 }),
  });
  await clients.tried();

  const { content } = await call('mcp__s__large');

  expect(String(content)).toHaveLength(300_000);
  expect(registry.find('mcp__s__large')?.limits.maxOutputBytes).toBe(2048);
});

test('ends a program that ignores every request to go, and what it started', async () => {
  const ground = await createTestGround();
  const { clients, call } = ground.open({ s: ground.server('stubborn') });
  await clients.tried();
  const { content } = await call('mcp__s__spawn');
  const pids = JSON.parse(String(content)) as number[];
  expect(pids.map(isAlive)).toEqual([true, true]);

  await clients.close();

  await until(() => !pids.some(isAlive));
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('waits longer after each failure', async () => {
  const clock = new ManualClock();
  const ground = await createTestGround();
  const { clients } = ground.open({ s: { command: '/does/not/exist' } }, { clock });
  const delays: number[] = [];

  for (let round = 0; round < 8; round += 1) {
    await until(() => clients.status()[0]?.nextRetryAtMs !== undefined);
    const delayMs = (clients.status()[0]?.nextRetryAtMs ?? 0) - clock.nowMs();
    delays.push(delayMs);
    clock.advance(delayMs);
    await until(() => clients.status()[0]?.nextRetryAtMs !== undefined);
  }

  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});
