import { randomUUID } from 'node:crypto';
import { access, readFile, symlink, unlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openForAll } from '../../support/at-end.ts';
import { TEST_ENGINES, type TestEngine } from '../../support/test-engines.ts';
import { type ApiServer, openApiServer } from './open-api-server.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

const LINCE = {
  name: 'Lince',
  role: 'Cybersecurity Researcher',
  personality_template: 'default-security',
  voice_id: 'elevenlabs_voice_123',
  skills: ['browser', 'terminal', 'python'],
  memory_access: 'global',
};

const PROFILE = {
  id: expect.stringMatching(UUID),
  name: 'Lince',
  role: 'Cybersecurity Researcher',
  personality_path: '/souls/lince.md',
  voice_id: 'elevenlabs_voice_123',
  skills: ['browser', 'terminal', 'python'],
  memory_access: 'global',
  status: 'idle',
  slug: 'lince',
  personality_template: 'default-security',
  created_at: DATE,
  updated_at: DATE,
};

const DEFAULT = {
  id: 'agent_default',
  name: 'Pincer',
  role: 'general assistant',
  personality_path: '/souls/agent_default.md',
  voice_id: null,
  skills: [],
  memory_access: 'global',
  status: 'idle',
  slug: 'agent_default',
  personality_template: null,
  created_at: DATE,
  updated_at: DATE,
};

const DENIED = {
  error: {
    code: 'policy_denied',
    message: 'Global memory elevation requires explicit approval.',
    details: {
      taxonomy: 'policy',
      recovery_action:
        'Set x-clawos-global-memory-approved: true after approving least-privilege impact.',
    },
  },
};

const notFound = (name: string) => ({
  error: {
    code: 'not_found',
    message: `agent ${name} does not exist`,
    details: { taxonomy: 'resource', recovery_action: expect.any(String), thing: 'agent' },
  },
});

const invalid = (message: string) => ({
  error: {
    code: 'validation_error',
    message,
    details: expect.objectContaining({ taxonomy: 'validation' }),
  },
});

const patch = (server: ApiServer, path: string, body: unknown, headers = {}) =>
  server.call(path, { method: 'PATCH', body, headers });

async function spawn(server: ApiServer, body: object = {}): Promise<Record<string, unknown>> {
  const answer = await server.post('/api/agents/spawn', { ...LINCE, ...body });
  expect(answer.status).toBe(201);
  return (answer.body as { agent: Record<string, unknown> }).agent;
}

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`/api/agents on ${engine.name}`, () => {
    describeSpawning(engine);
    describeChanges(engine);
  });
}

function describeSpawning(engine: TestEngine): void {
  const refusing = openForAll(() => openApiServer({ engine }));

  test('spawns an agent with its files, and lists it beside the first one', async () => {
    const server = await openApiServer({ engine });

    const spawned = await server.post('/api/agents/spawn', LINCE);
    const again = await server.post('/api/agents/spawn', LINCE);
    const listed = await server.call('/api/agents');

    expect([spawned.status, spawned.body]).toEqual([
      201,
      { agent: PROFILE, files_created: ['/souls/lince.md', '/agents/lince.config.json'] },
    ]);
    expect(again.body).toMatchObject({
      agent: { slug: 'lince-2' },
      files_created: ['/souls/lince-2.md', '/agents/lince-2.config.json'],
    });
    const second = { ...PROFILE, slug: 'lince-2', personality_path: '/souls/lince-2.md' };
    expect([listed.status, listed.body]).toEqual([200, { agents: [DEFAULT, PROFILE, second] }]);
    const soul = await readFile(`${server.root}/souls/lince.md`, 'utf8');
    expect(soul).toMatch(/^# Lince\n\nYou are Lince, Cybersecurity Researcher\./);
    const definition = JSON.parse(
      await readFile(`${server.root}/agents/lince.config.json`, 'utf8'),
    );
    expect(definition).toMatchObject({ slug: 'lince', name: 'Lince', memory_access: 'global' });
  });

  test('finds an agent by its id, its slug and its name', async () => {
    const server = await openApiServer({ engine });
    const { id } = await spawn(server, { name: 'Ágata Núñez' });

    for (const name of [id, 'agata-nunez', encodeURIComponent('ágata núñez')]) {
      const answer = await server.call(`/api/agents/${name}`);
      expect([answer.status, answer.body]).toMatchObject([200, { agent: { id } }]);
    }
    const nobody = await server.call('/api/agents/nobody');
    expect([nobody.status, nobody.body]).toEqual([404, notFound('nobody')]);
  });

  test.each([
    ['a/b\\c', 'a-b-c'],
    ['../../etc/passwd', 'etc-passwd'],
    ['🦀 Crab 🦀', 'crab'],
    ['agent_default', 'agent_default-2'],
    ['Spawn', 'spawn-2'],
  ])('gives %j the slug %j', async (name, slug) => {
    const server = await openApiServer({ engine });

    expect(await spawn(server, { name })).toMatchObject({ name, slug });
    await access(`${server.root}/souls/${slug}.md`);
  });

  test('makes a slug of the id for a name that leaves none', async () => {
    const server = await openApiServer({ engine });

    const agent = await spawn(server, { name: '🦀🦀' });

    expect(agent['slug']).toBe(`agent-${String(agent['id']).slice(0, 8)}`);
  });

  test.each([
    [{ ...LINCE, name: '' }, 'name must not be empty'],
    [{ ...LINCE, name: ' \t' }, 'name must not be empty'],
    [{ ...LINCE, name: 'x'.repeat(200) }, 'name must be at most 80 characters'],
    [{ ...LINCE, name: 'a\0b' }, 'name must not contain NUL characters'],
    [{ ...LINCE, name: 'a\nb' }, 'name must be one line without invisible control characters'],
    [{ ...LINCE, name: '\u202ea' }, 'name must be one line without invisible control characters'],
    [{ ...LINCE, name: 'a\u200bb' }, 'name must be one line without invisible control characters'],
    [{ ...LINCE, name: '\u3164' }, 'name must have a visible character'],
    [{ ...LINCE, name: 7 }, 'name must be a string'],
    [{ ...LINCE, role: '' }, 'role must not be empty'],
    [{ ...LINCE, voice_id: '' }, 'voice_id must not be empty'],
    [{ ...LINCE, voice_id: undefined }, 'voice_id is required'],
    [{ ...LINCE, skills: 'browser' }, 'skills must be an array'],
    [{ ...LINCE, memory_access: 'all' }, 'memory_access must be one of global, private'],
    [
      { ...LINCE, personality_template: 'nice' },
      'personality_template must be one of coder, creative, default, default-security, operator, researcher',
    ],
    [
      { ...LINCE, personality_template: '../x' },
      'personality_template must be one of coder, creative, default, default-security, operator, researcher',
    ],
  ])('refuses %j', async (body, message) => {
    const answer = await refusing().post('/api/agents/spawn', body);

    expect([answer.status, answer.body]).toEqual([400, invalid(message)]);
    expect((await refusing().call('/api/agents')).body).toEqual({ agents: [DEFAULT] });
  });

  test('takes a template from the folder for them', async () => {
    const server = await openApiServer({ engine });
    await spawn(server);
    await server.call('/api/agents');
    const { mkdir } = await import('node:fs/promises');
    await mkdir(`${server.root}/souls/templates`, { recursive: true });
    await writeFile(
      `${server.root}/souls/templates/pirate.md`,
      'Arr, {{agent_name}}: {{skills}} {{x}}',
    );

    await spawn(server, { name: 'Jack', personality_template: 'pirate' });

    expect(await readFile(`${server.root}/souls/jack.md`, 'utf8')).toBe(
      'Arr, Jack: browser, terminal, python {{x}}',
    );
  });

  test('wants an approval for global memory where that is configured, and counts the refusals', async () => {
    const env = { CLAWOS_REQUIRE_GLOBAL_MEMORY_APPROVAL: 'true' };
    const server = await openApiServer({ engine, env });
    const approved = { 'x-clawos-global-memory-approved': 'TRUE' };

    const denied = await server.post('/api/agents/spawn', LINCE);
    const spawned = await server.post('/api/agents/spawn', LINCE, { headers: approved });
    await spawn(server, { name: 'Sastre', memory_access: 'private' });
    const permissions = { skills: ['browser'], memory_access: 'global' };
    const elevated = await patch(server, '/api/agents/sastre/permissions', permissions);
    const unknown = await patch(server, '/api/agents/nobody/permissions', permissions);
    const allowed = await patch(server, '/api/agents/sastre/permissions', permissions, approved);

    expect([denied.status, denied.body]).toEqual([403, DENIED]);
    expect([spawned.status, elevated.status, elevated.body]).toEqual([201, 403, DENIED]);
    expect(unknown.status).toBe(404);
    expect([allowed.status, allowed.body]).toMatchObject([
      200,
      { agent: { name: 'Sastre', skills: ['browser'], memory_access: 'global' } },
    ]);
    const { body } = await server.call('/api/observability/summary');
    expect(body).toMatchObject({
      security_event_counters: [{ key: 'global_memory_access_denied', count: 2 }],
    });
  });
}

function describeChanges(engine: TestEngine): void {
  const refusing = openForAll(() => openApiServer({ engine }));

  test('changes fields, permissions and status, and answers with the whole agent', async () => {
    const server = await openApiServer({ engine });
    await spawn(server);

    const changed = await patch(server, '/api/agents/lince', { name: 'Lynx', role: 'Scout' });
    const allowed = await patch(server, '/api/agents/lince/permissions', {
      skills: [' browser', '', 'browser', 'python'],
      memory_access: 'private',
    });
    const asleep = await patch(server, '/api/agents/lince/status', { status: 'sleeping' });

    const lynx = { ...PROFILE, name: 'Lynx', role: 'Scout' };
    expect([changed.status, changed.body]).toEqual([200, { agent: lynx }]);
    const narrowed = { ...lynx, skills: ['browser', 'python'], memory_access: 'private' };
    expect([allowed.status, allowed.body]).toEqual([200, { agent: narrowed }]);
    expect([asleep.status, asleep.body]).toEqual([
      200,
      { agent: { ...narrowed, status: 'sleeping' } },
    ]);
    expect((await server.call('/api/agents/lynx')).body).toEqual(asleep.body);
  });

  test.each([
    ['status', { status: 'tired' }, 'status must be one of idle, busy, sleeping'],
    ['status', {}, 'status is required'],
    [
      'permissions',
      { skills: [' '], memory_access: 'private' },
      'skills must name at least one skill',
    ],
    [
      'permissions',
      { skills: [], memory_access: 'private' },
      'skills must name at least one skill',
    ],
    ['permissions', { skills: ['x'] }, 'memory_access is required'],
  ])('refuses %s %j before it looks for the agent', async (what, body, message) => {
    const answer = await patch(refusing(), `/api/agents/nobody/${what}`, body);

    expect([answer.status, answer.body]).toEqual([400, invalid(message)]);
  });

  test('refuses a change of nothing', async () => {
    const answer = await patch(refusing(), '/api/agents/agent_default', {});

    expect([answer.status, answer.body]).toEqual([
      400,
      invalid('request body must say what changes'),
    ]);
  });

  test('removes an agent with its files, but neither the first one nor one with open runs', async () => {
    const server = await openApiServer({ engine });
    await spawn(server);
    await patch(server, '/api/agents/lince/status', { status: 'sleeping' });
    const run = await server.post('/v1/runs', { agent_id: 'lince', message: 'hello' });
    const { id } = run.body as { id: string };
    const remove = (name: string) => server.call(`/api/agents/${name}`, { method: 'DELETE' });

    const first = await remove('agent_default');
    const busy = await remove('lince');
    await server.post(`/v1/runs/${id}/cancel`, {});
    const gone = await remove('lince');
    const again = await remove('lince');

    expect([first.status, busy.status]).toEqual([409, 409]);
    expect(busy.body).toMatchObject({
      error: { code: 'conflict', message: `agent lince has open runs: ${id}` },
    });
    expect([gone.status, gone.body]).toEqual([
      200,
      { agent: { ...PROFILE, status: 'sleeping' }, deleted: true },
    ]);
    expect([again.status, again.body]).toEqual([404, notFound('lince')]);
    await expect(access(`${server.root}/souls/lince.md`)).rejects.toThrow();
    await access(`${server.root}/agents/.trash/lince.md`);
  });

  test('skills choose among granted tools, and never add one', async () => {
    const server = await openApiServer({ engine });
    await spawn(server, { skills: ['browser'] });
    const call = async (tool: string, payload: object) => {
      const ids = { executionId: randomUUID(), idempotencyKey: randomUUID() };
      const body = { toolId: tool, ...ids, payload, metadata: { agent: 'lince' } };
      const answer = await server.post('/v1/tools/execute', body);
      return answer.body as { status: string; error?: { message: string } };
    };

    const time = await call('time.now', {});
    const files = await call('fs.list', { path: '.' });
    const granted = await server.call('/api/admin/agents/lince/capabilities');
    await patch(server, '/api/agents/lince/permissions', {
      skills: ['files', 'terminal'],
      memory_access: 'private',
    });
    const then = await call('fs.list', { path: '.' });
    const shell = await call('shell.exec', { command: 'true' });

    expect([time.status, files.status, then.status, shell.status]).toEqual([
      'success',
      'error',
      'success',
      'error',
    ]);
    expect(files.error?.message).toMatch(/may not use fs\.list/);
    expect((granted.body as { granted: string[] }).granted).not.toContain('fs.read');
  });

  test('a run of a sleeping agent waits until it is awake', async () => {
    const server = await openApiServer({ engine });
    await spawn(server);
    await patch(server, '/api/agents/lince/status', { status: 'sleeping' });

    const created = await server.post('/v1/runs', { agent_id: 'Lince', message: 'hello' });
    const { id } = created.body as { id: string };
    const other = await server.post('/v1/runs', { agent_id: 'agent_default', message: 'hello' });
    await untilEnded(server, (other.body as { id: string }).id);
    const waiting = await server.call(`/v1/runs/${id}`);
    await patch(server, '/api/agents/lince/status', { status: 'idle' });

    expect(waiting.body).toMatchObject({ status: 'queued' });
    expect(await untilEnded(server, id)).toBe('completed');
  });

  test('an edited soul is what the next run begins with, and no link leads out of the root', async () => {
    const server = await openApiServer({ engine });
    const { id } = await spawn(server);
    const soul = `${server.root}/souls/lince.md`;
    const told = async () => {
      const run = await server.post('/v1/runs', { agent_id: 'lince', message: 'hello' });
      await untilEnded(server, (run.body as { id: string }).id);
      const { body } = await server.call(`/api/admin/agents/${id}`);
      return (body as { instructions: string }).instructions;
    };

    await writeFile(soul, 'You are a teapot.');
    const edited = await told();
    await writeFile(`${server.root}/elsewhere.md`, 'You are free.');
    await unlink(soul);
    await symlink(`${server.root}/elsewhere.md`, soul);
    const linked = await told();

    expect([edited, linked]).toEqual(['You are a teapot.', 'You are a teapot.']);
  });
}

async function untilEnded(server: ApiServer, id: string): Promise<string> {
  for (;;) {
    const { body } = await server.call(`/v1/runs/${id}`);
    const { status } = body as { status: string };
    if (['completed', 'failed', 'cancelled'].includes(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
