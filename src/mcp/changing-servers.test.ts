import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createTestGround, until } from './test-clients.ts';

test('opens what was added and leaves what was removed; the others keep their process', async () => {
  const ground = await createTestGround();
  const stays = ground.server('good');
  const { clients, names, call } = ground.open({ stays, goes: ground.server('good') });
  await clients.tried();
  const before = await call('mcp__stays__spawn');

  clients.apply({ stays, comes: ground.server('good') });

  expect(names().filter((name) => name.includes('goes'))).toEqual([]);
  await clients.tried();
  expect(clients.status().map(({ name, state }) => [name, state])).toEqual([
    ['comes', 'ready'],
    ['stays', 'ready'],
  ]);
  expect(await call('mcp__comes__echo', { text: 'hi' })).toEqual({ content: 'echo hi' });
  const after = await call('mcp__stays__spawn');
  expect(processOf(after)).toBe(processOf(before));
});

function processOf({ content }: { readonly content?: unknown }): unknown {
  return (JSON.parse(String(content)) as unknown[])[0];
}

test('a changed server is another process, and what a person approved still counts', async () => {
  const ground = await createTestGround();
  const shy = ground.server('good', { approve_new_tools: false });
  const { clients, names, call } = ground.open({ s: shy });
  await clients.tried();
  await clients.approve({ server: 's', tool: 'env' });
  await clients.approve({ server: 's', tool: 'echo' });
  await writeFile(ground.descriptionFile, 'Does something else');

  clients.apply({ s: { ...shy, env: { GIVEN: '1' } } });
  await clients.tried();

  expect(names()).toEqual(['mcp__s__env']);
  const { content } = await call('mcp__s__env');
  expect(JSON.parse(String(content))).toMatchObject({ GIVEN: '1' });
  const status = clients.status()[0]?.tools ?? [];
  expect(status.find(({ tool }) => tool === 'echo')?.status).toBe('changed');
});

test('a server can be switched off, mended and named anew', async () => {
  const ground = await createTestGround();
  const { clients, names } = ground.open({ a: { comand: 'x' }, 'b.c': ground.server('good') });
  await clients.tried();

  clients.apply({ a: ground.server('good', { disabled: true }), b_c: ground.server('good') });
  await clients.tried();

  expect(clients.status().map(({ name, state }) => [name, state])).toEqual([
    ['a', 'disabled'],
    ['b_c', 'ready'],
  ]);
  expect(names()).toContain('mcp__b_c__echo');
});

test('a call under way ends well after its server was removed', async () => {
  const ground = await createTestGround();
  const { clients, registry, call } = ground.open({ s: ground.server('good') });
  await clients.tried();
  const echo = registry.find('mcp__s__echo');
  const waiting = call('mcp__s__slow');
  await until(() => existsSync(`${ground.descriptionFile}.waiting`));

  clients.apply({});
  await writeFile(`${ground.descriptionFile}.go`, '');

  expect(await waiting).toEqual({ content: 'slow' });
  expect(clients.status()).toEqual([]);
  // Who got hold of the tool before is told why it is of no use any more.
  const late = echo?.execute({ text: 'x' }, {} as never);
  await expect(late).rejects.toMatchObject({
    code: 'tool_failed',
    retryable: false,
    message: 'mcp server s is not connected: its entry in the configuration was changed or removed',
    details: { effect: 'none' },
  });
});

test('a call that does not end in time is told what became of its server', async () => {
  const ground = await createTestGround();
  const { clients, call } = ground.open({ s: ground.server('good') });
  await clients.tried();
  const waiting = call('mcp__s__wait');
  const failed = expect(waiting).rejects.toMatchObject({
    code: 'outcome_unknown',
    message:
      'mcp server s was lost while wait ran: its entry in the configuration was changed or removed',
  });
  await until(() => existsSync(`${ground.descriptionFile}.waiting`));

  clients.apply({});
  await clients.close();

  await failed;
});

test('one change after the other leaves one process of the last', async () => {
  const ground = await createTestGround();
  const { clients, names, call } = ground.open({});
  const entry = (n: number) => ground.server('good', { env: { ROUND: String(n) } });

  for (let round = 0; round < 5; round += 1) clients.apply({ s: entry(round) });
  await clients.tried();

  const { content } = await call('mcp__s__env');
  expect(JSON.parse(String(content))).toMatchObject({ ROUND: '4' });
  clients.apply({});
  expect(names()).toEqual([]);
});
