import { expect, test } from 'vitest';
import { openSkillServer, SKILL_SPEC, SKILL_SPECS } from './skill-server.ts';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);

test('stores a skill spec and lists it before what is built in', async () => {
  const server = await openSkillServer();

  const stored = await server.post(SKILL_SPECS, { state: 'validated', skill_spec: SKILL_SPEC });
  const listed = await server.get(SKILL_SPECS);

  expect([stored.status, stored.body]).toEqual([
    201,
    { data: { skill_id: 'github-coding-custom', version: 1, state: 'validated' } },
  ]);
  const { data } = listed.body as { data: readonly Record<string, unknown>[] };
  expect(listed.status).toBe(200);
  expect(data[0]).toEqual({
    ...SKILL_SPEC,
    state: 'validated',
    content_hash: HASH,
    submitted_by: 'user:42',
    created_at: ISO,
    updated_at: ISO,
  });
  expect(data.slice(1).map((spec) => [spec['skill_id'], spec['version'], spec['state']])).toEqual([
    ['github-coding', 1, 'published'],
    ['resend-comms', 1, 'published'],
  ]);
});

test('lists versions of a skill in order', async () => {
  const server = await openSkillServer();
  for (const version of [10, 2]) {
    await server.post(SKILL_SPECS, { skill_spec: { ...SKILL_SPEC, version } });
  }

  const { data } = (await server.get(SKILL_SPECS)).body as { data: { version: number }[] };

  expect(data.slice(0, 2).map(({ version }) => version)).toEqual([2, 10]);
});

test.each([
  ['a path that climbs', [{ path: '../x.sh', content: '' }]],
  ['an absolute path', [{ path: '/etc/passwd', content: '' }]],
  ['a path with a backslash', [{ path: 'a\\b', content: '' }]],
  ['a path that no system can keep', [{ path: 'a/./b', content: '' }]],
])('refuses a file with %s', async (_, scripts) => {
  const server = await openSkillServer();

  const answer = await server.post(SKILL_SPECS, { skill_spec: { ...SKILL_SPEC, scripts } });

  expect(answer.status).toBe(422);
  expect((answer.body as { error: { details: unknown } }).error.details).toEqual([
    {
      reason_code: 'skill_registry.invalid_schema',
      path: 'scripts.0.path',
      message:
        'must be a relative path of plain names: letters, digits, spaces, dots, dashes, underscores; no ..',
    },
  ]);
});

test('refuses two files of one path, in whatever case, and a file inside a file', async () => {
  const server = await openSkillServer();
  const details = async (paths: readonly string[]) => {
    const assets = paths.map((path) => ({ path, content: '' }));
    const answer = await server.post(SKILL_SPECS, { skill_spec: { ...SKILL_SPEC, assets } });
    const { error } = answer.body as { error?: { details: { path: string }[] } };
    return [answer.status, error?.details.map(({ path }) => path)];
  };

  expect(await details(['a.txt', 'A.TXT'])).toEqual([422, ['assets']]);
  expect(await details(['a', 'a/b'])).toEqual([422, ['assets']]);
  expect(await details(['a', 'b/a'])).toEqual([201, undefined]);
});

test('refuses text that can not be stored', async () => {
  const server = await openSkillServer();
  const skill_spec = { ...SKILL_SPEC, instructions_markdown: 'a\u0000b' };

  const answer = await server.post(SKILL_SPECS, { skill_spec });

  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({
    error: { details: [{ message: 'must be well-formed Unicode without NUL characters' }] },
  });
});

test('wants a user for a write', async () => {
  const server = await openSkillServer();

  const answer = await server.post(SKILL_SPECS, { skill_spec: SKILL_SPEC }, { guestScope: 'g' });

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid_request', message: 'x-oa-user-id header is required' } },
  ]);
});
