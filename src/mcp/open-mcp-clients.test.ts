import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTestGround, until } from './test-clients.ts';

test('offers the tools of a program and calls them', async () => {
  const ground = await createTestGround();
  const { clients, registry, names, call } = ground.open({ weather: ground.server('good') });
  await clients.tried();

  const output = await call('mcp__weather__echo', { text: 'hello' });

  expect(output).toEqual({ content: 'echo hello' });
  expect(names()).toContain('mcp__weather__bad_params');
  expect(registry.describe((tool) => tool.name === 'mcp__weather__echo')).toEqual([
    {
      name: 'mcp__weather__echo',
      description: 'Says it again',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
      },
    },
  ]);
  expect(clients.status()).toMatchObject([
    { name: 'weather', state: 'ready', serverInfo: { name: 'test', version: '1.0.0' } },
  ]);
});

test('carries text, structure and the outlines of everything else', async () => {
  const ground = await createTestGround();
  const { clients, call } = ground.open({ s: ground.server('good') });
  await clients.tried();

  expect(await call('mcp__s__rich')).toEqual({
    content: 'one\ntwo',
    structured: { n: 1 },
    attachments: [
      { type: 'image', mime_type: 'image/png', bytes: 3 },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
    ],
  });
});

test.each([
  ['mcp__s__fail', 'tool_failed', 'it went wrong'],
  ['mcp__s__bad_params', 'tool_input_invalid', 'n must be positive'],
])('makes an error of %s the failure of the call', async (name, code, message) => {
  const ground = await createTestGround();
  const { clients, call } = ground.open({ s: ground.server('good') });
  await clients.tried();

  await expect(call(name)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

test('believes annotations only of servers that the operator trusts', async () => {
  const ground = await createTestGround();
  const { clients, registry } = ground.open({
    a: ground.server('good'),
    b: ground.server('good', { trust_annotations: true }),
  });
  await clients.tried();

  const effects = ['mcp__a__echo', 'mcp__b__echo', 'mcp__b__fail'].map((name) => {
    const tool = registry.find(name);
    return [tool?.effect, tool?.idempotent];
  });

  expect(effects).toEqual([
    ['write', false],
    ['read', true],
    ['write', false],
  ]);
});

test('gives a program the environment it was allowed and nothing else', async () => {
  const ground = await createTestGround();
  const servers = { s: ground.server('good', { env: { GIVEN: '1' }, inherit_env: ['WANTED'] }) };
  const environment = { PATH: '/usr/bin:/bin', WANTED: '2', OPENAI_API_KEY: 'sk-secret' };
  const { clients, call } = ground.open(servers, { environment });
  await clients.tried();

  const { content } = await call('mcp__s__env');

  const seen = JSON.parse(String(content));
  expect(seen).toMatchObject({ GIVEN: '1', WANTED: '2', PATH: '/usr/bin:/bin' });
  expect(Object.keys(seen)).not.toContain('OPENAI_API_KEY');
  expect(Object.keys(seen)).not.toContain('CLAW_ROOT');
});

test('reports broken servers while the others work', async () => {
  const ground = await createTestGround();
  const { clients, names } = ground.open({
    absent: { command: '/does/not/exist' },
    broken: ground.server('broken'),
    nonsense: { commnd: 'x' },
    off: ground.server('good', { disabled: true }),
    good: ground.server('good'),
    'go.od': ground.server('good'),
    go_od: ground.server('good'),
  });
  await clients.tried();

  const states = clients
    .status()
    .map(({ name, state, lastError }) => [name, state, lastError?.phase]);

  expect(states).toEqual([
    ['absent', 'waiting', 'initialize_handshake'],
    ['broken', 'waiting', 'initialize_handshake'],
    ['go.od', 'ready', undefined],
    ['go_od', 'invalid', 'config_load'],
    ['good', 'ready', undefined],
    ['nonsense', 'invalid', 'config_load'],
    ['off', 'disabled', undefined],
  ]);
  expect(names().filter((name) => name.endsWith('echo'))).toEqual([
    'mcp__go_od__echo',
    'mcp__good__echo',
  ]);
  const broken = clients.status().find(({ name }) => name === 'broken');
  expect(broken?.lastError?.message).toContain('it said: cannot find module weather');
  expect(broken?.nextRetryAtMs).toBeGreaterThan(0);
});

test('passes a cancel on to the server', async () => {
  const ground = await createTestGround();
  const { clients, call, descriptionFile } = ground.open({ s: ground.server('good') });
  await clients.tried();
  const abort = new AbortController();

  const waiting = call('mcp__s__wait', {}, abort.signal);
  await until(() => existsSync(`${descriptionFile}.waiting`));
  abort.abort(new Error('stop'));

  await expect(waiting).rejects.toThrow('stop');
  await until(() => existsSync(`${descriptionFile}.cancelled`));
});

test('lists a thousand tools, page by page', async () => {
  const ground = await createTestGround();
  const { clients, names } = ground.open({ s: ground.server('many') });

  await clients.tried();

  expect(names()).toHaveLength(1000);
  expect(names().at(-1)).toBe('mcp__s__tool-0999');
});

test('takes the tools away and ends the program when it is closed', async () => {
  const ground = await createTestGround();
  const { clients, names } = ground.open({ s: ground.server('good') });
  await clients.tried();

  await clients.close();

  expect(names()).toEqual([]);
  expect(clients.status()).toMatchObject([{ state: 'closed' }]);
});
