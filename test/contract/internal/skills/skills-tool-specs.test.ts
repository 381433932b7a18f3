import { expect, test } from 'vitest';
import { OPERATOR } from '../../../../src/core/principal.ts';
import { openSkillServer, TOOL_SPEC, TOOL_SPECS } from './skill-server.ts';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);

const problem = (path: string, message: string, code = 'skill_registry.invalid_schema') => ({
  reason_code: code,
  path,
  message,
});

test('lists what is stored, then what is built in', async () => {
  const server = await openSkillServer();
  await server.post(TOOL_SPECS, { state: 'validated', tool_spec: TOOL_SPEC });

  const { status, body } = await server.get(TOOL_SPECS, { nobody: true });

  const { data } = body as { data: readonly Record<string, unknown>[] };
  expect(status).toBe(200);
  expect(data[0]).toEqual({
    ...TOOL_SPEC,
    state: 'validated',
    content_hash: HASH,
    submitted_by: 'user:42',
    created_at: ISO,
    updated_at: ISO,
  });
  expect(data.slice(1).map((spec) => [spec['tool_id'], spec['tool_pack'], spec['state']])).toEqual([
    ['github.primary', 'coding.v1', 'published'],
    ['resend.primary', 'comms.v1', 'published'],
  ]);
  expect(data[1]).toMatchObject({ version: 1, submitted_by: null, created_at: null });
});

test('shows a spec of the operator’s in place of one of the same id and version that is built in', async () => {
  const server = await openSkillServer();
  const own = { ...TOOL_SPEC, tool_id: 'github.primary' };

  await server.skills.registry.put('tool', { document: own, by: OPERATOR });

  const { data } = (await server.get(TOOL_SPECS)).body as { data: Record<string, unknown>[] };
  expect(data.map((spec) => [spec['tool_id'], spec['state']])).toEqual([
    ['github.primary', 'validated'],
    ['resend.primary', 'published'],
  ]);
});

test('answers 201 each time, and takes the submitter from the signature', async () => {
  const server = await openSkillServer();
  const tool_spec = { ...TOOL_SPEC, submitted_by: 'user:1' };

  const answers = [
    await server.post(TOOL_SPECS, { tool_spec }),
    await server.post(TOOL_SPECS, { state: 'validated', tool_spec }),
  ];

  const data = { tool_id: 'github.custom', version: 1, state: 'validated' };
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [201, { data }],
    [201, { data }],
  ]);
  const [first] = ((await server.get(TOOL_SPECS)).body as { data: object[] }).data;
  expect(first).toMatchObject({ submitted_by: 'user:42' });
});

test('moves a spec forward only, and never changes what is published', async () => {
  const server = await openSkillServer();
  const put = async (state: string | undefined, change: object = {}) => {
    const body = { ...(state ? { state } : {}), tool_spec: { ...TOOL_SPEC, ...change } };
    const { status, body: answer } = await server.post(TOOL_SPECS, body);
    const { data, error } = answer as { data?: { state: string }; error?: { message: string } };
    return [status, data?.state ?? error?.message];
  };

  const answers = [
    await put('draft'),
    await put(undefined, { name: 'Renamed' }),
    await put('draft', { name: 'Renamed' }),
    await put('published'),
    await put(undefined),
    await put('published', { name: 'Other' }),
    await put('draft'),
    await put('deprecated'),
    await put('published'),
  ];

  const name = 'tool spec github.custom version 1';
  expect(answers).toEqual([
    [201, 'draft'],
    [201, 'validated'],
    [409, `${name} is validated and can't go back to draft`],
    [201, 'published'],
    [201, 'published'],
    [409, `${name} is published and can't change; publish a new version`],
    [409, `${name} is published and can't go back to draft`],
    [201, 'deprecated'],
    [409, `${name} is deprecated and can't go back to published`],
  ]);
});

test('lets a draft be unfinished but not wrong', async () => {
  const server = await openSkillServer();
  const begun = { tool_id: 'github.custom', version: 1 };

  const fine = await server.post(TOOL_SPECS, { state: 'draft', tool_spec: begun });
  const wrong = await server.post(TOOL_SPECS, {
    state: 'draft',
    tool_spec: { version: 0, name: 7 },
  });

  expect([fine.status, fine.body]).toEqual([
    201,
    { data: { tool_id: 'github.custom', version: 1, state: 'draft' } },
  ]);
  expect(wrong.status).toBe(422);
  expect((wrong.body as { error: { details: { path: string }[] } }).error.details).toEqual([
    problem('tool_id', 'is required'),
    problem('version', 'Too small: expected number to be >=1'),
    problem('name', 'Invalid input: expected string, received number'),
  ]);
});

test('says of a refused spec what is wrong with each part', async () => {
  const server = await openSkillServer();
  const manifest = { ...TOOL_SPEC.integration_manifest, capabilities: ['get_issue'] };
  const spec = { ...TOOL_SPEC, description: undefined, integration_manifest: manifest };

  const answer = await server.post(TOOL_SPECS, { tool_spec: spec });

  expect([answer.status, answer.body]).toEqual([
    422,
    {
      error: {
        code: 'invalid_request',
        message: 'skill registry validation failed',
        details: [
          problem('description', 'is required'),
          problem(
            'integration_manifest.capabilities',
            'must include get_issue and get_pull_request',
            'manifest_validation.invalid_schema',
          ),
        ],
      },
    },
  ]);
});

test.each([
  [
    'an unknown state',
    { state: 'new', tool_spec: TOOL_SPEC },
    422,
    'skill registry validation failed',
  ],
  ['no spec', {}, 400, 'tool_spec is required'],
  ['a spec that is no object', { tool_spec: [] }, 400, 'tool_spec must be an object'],
])('refuses %s', async (_, body, status, message) => {
  const server = await openSkillServer();

  const answer = await server.post(TOOL_SPECS, body);

  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ error: { code: 'invalid_request', message } });
});

test('wants a user for a write, and a signature for everything', async () => {
  const server = await openSkillServer();

  const nobody = await server.post(TOOL_SPECS, {}, { nobody: true });
  const unsigned = await server.get(TOOL_SPECS, { headers: { 'x-oa-runtime-signature': '' } });

  expect([nobody.status, nobody.body]).toEqual([
    400,
    { error: { code: 'invalid_request', message: 'x-oa-user-id header is required' } },
  ]);
  expect(unsigned.status).toBe(401);
});
