import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AdminServer, openAdminServer } from './test-admin-server.ts';

const KEY = 'sk-stored-in-file-51ab';

const STORED = {
  version: 1,
  server: { port: 4000 },
  providers: { openai: { api_key: KEY } },
};

async function openWithFile(document: object = STORED): Promise<AdminServer> {
  const server = await openAdminServer();
  await writeFile(configFile(server), `${JSON.stringify(document, null, 2)}\n`);
  return server;
}

const configFile = ({ root }: AdminServer) => join(root, '.openclawssy/config.json');
const readStored = async (server: AdminServer) =>
  JSON.parse(await readFile(configFile(server), 'utf8'));

test('shows the file with defaults and without secrets', async () => {
  const server = await openWithFile();

  const answer = await server.call('/api/admin/config');

  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    version: 1,
    server: { port: 4000, bind_address: '127.0.0.1' },
    chat: { enabled: true, rate_limit_per_min: 20 },
  });
  expect(answer.text).not.toContain(KEY);
});

interface Described {
  readonly schema: { readonly properties: Readonly<Record<string, unknown>> };
  readonly fields: readonly { readonly path: string; readonly secret: boolean }[];
  readonly pending: readonly string[];
}

test('tells what there is to set, by schema and by field, and what waits for a restart', async () => {
  const server = await openWithFile();
  await server.post('/api/admin/config', { server: { port: 4001 } });

  const answer = await server.call('/api/admin/config/schema');

  const { schema, fields, pending } = answer.body as Described;
  expect(answer.status).toBe(200);
  expect(schema.properties).toMatchObject({
    chat: { properties: { rate_limit_per_min: { type: 'integer', default: 20, minimum: 1 } } },
    providers: { properties: { openai: { properties: { api_key: { writeOnly: true } } } } },
  });
  expect(fields.find(({ path }) => path === 'server.port')).toEqual({
    path: 'server.port',
    description: 'Port to listen on; 0 picks a free one and prints it.',
    default: 3000,
    restart_required: true,
    secret: false,
    variable: 'CLAW_PORT',
    overridden: false,
  });
  expect(fields.filter(({ secret }) => secret).map(({ path }) => path)).toEqual([
    'providers.openai.api_key',
    'providers.anthropic.api_key',
    'providers.openrouter.api_key',
    'providers.google.api_key',
    'providers.openai_compatible.api_key',
  ]);
  expect(pending).toEqual(['server.port']);
  expect(answer.text).not.toContain(KEY);
});

test('what was read can be saved again, changes nothing, and keeps the secrets', async () => {
  const server = await openWithFile();

  const read = await server.call('/api/admin/config');
  const saved = await server.post('/api/admin/config', read.body);

  expect(saved.status).toBe(200);
  expect(saved.body).toMatchObject({ ok: true, overridden: [] });
  expect((await readStored(server)).providers.openai.api_key).toBe(KEY);
});

test('replaces a section, says what holds at once and what needs a restart, and keeps a copy', async () => {
  const server = await openWithFile();
  await server.post('/api/admin/config', {});

  const change = { chat: { rate_limit_per_min: 7 }, server: { port: 4001 } };
  const saved = await server.post('/api/admin/config', change);

  expect([saved.status, saved.body]).toEqual([
    200,
    {
      ok: true,
      applied: ['chat.rate_limit_per_min'],
      restart_required: ['server.port'],
      overridden: [],
    },
  ]);
  expect(await readStored(server)).toMatchObject({ ...STORED, ...change });
  expect(JSON.parse(await readFile(`${configFile(server)}.bak`, 'utf8'))).toEqual(STORED);
});

test('patches one field, and null brings its default back', async () => {
  const server = await openWithFile();

  const set = await server.call('/api/admin/config', {
    method: 'PATCH',
    body: { chat: { rate_limit_per_min: 7 } },
  });
  const reset = await server.call('/api/admin/config', {
    method: 'PATCH',
    body: { chat: { rate_limit_per_min: null } },
  });

  const applied = ['chat.rate_limit_per_min'];
  expect([set.status, (set.body as { applied: string[] }).applied]).toEqual([
    200,
    expect.arrayContaining(applied),
  ]);
  expect([reset.status, reset.body]).toEqual([
    200,
    { ok: true, applied, restart_required: [], overridden: [] },
  ]);
});

test.each(['POST', 'PATCH'])(
  '%s of an invalid document names the fields and leaves the file',
  async (method) => {
    const server = await openWithFile();
    const before = await readFile(configFile(server), 'utf8');

    const body = { server: { port: 99_999 }, chat: { enabled: 'yes' } };
    const answer = await server.call('/api/admin/config', { method, body });

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: {
        code: 'invalid.request',
        details: {
          field_errors: expect.arrayContaining([
            { path: 'server.port', message: expect.any(String) },
            { path: 'chat.enabled', message: expect.any(String) },
          ]),
        },
      },
    });
    expect(await readFile(configFile(server), 'utf8')).toBe(before);
  },
);

test('checks a document without writing it', async () => {
  const server = await openWithFile();
  const before = await readFile(configFile(server), 'utf8');

  const good = await server.post('/api/admin/config/validate', { server: { port: 4001 } });
  const bad = await server.post('/api/admin/config/validate', { serv: {} });

  expect([good.status, good.body]).toEqual([200, { valid: true, field_errors: [] }]);
  expect(bad.status).toBe(200);
  expect(bad.body).toMatchObject({
    valid: false,
    field_errors: [{ path: 'serv', message: expect.any(String) }],
  });
  expect(await readFile(configFile(server), 'utf8')).toBe(before);
});

test.each([
  ['POST', '/api/admin/config'],
  ['PATCH', '/api/admin/config'],
  ['POST', '/api/admin/config/validate'],
])('%s %s refuses what is no object, and what is nested too deep', async (method, path) => {
  const server = await openWithFile();
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;

  const list = await server.call(path, { method, body: [1] });
  const nothing = await server.call(path, { method });
  const nested = await server.call(path, { method, body: deep });

  expect([list.status, list.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message: 'request body must be a JSON object' } },
  ]);
  expect([nothing.status, nothing.body]).toEqual([
    400,
    { error: { code: 'invalid.request', message: 'request body is required' } },
  ]);
  expect(nested.status).toBe(path.endsWith('validate') ? 200 : 400);
  expect(nested.text).toContain('nested deeper than 32 levels');
  expect(await readStored(server)).toEqual(STORED);
});

test('a file that somebody broke by hand is left alone', async () => {
  const server = await openWithFile();
  await writeFile(configFile(server), '{"server": ');

  const answer = await server.post('/api/admin/config', { server: { port: 4001 } });

  expect([answer.status, (answer.body as { error: { code: string } }).error.code]).toEqual([
    409,
    'conflict',
  ]);
  expect(await readFile(configFile(server), 'utf8')).toBe('{"server": ');
});
