import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../../src/core/json.ts';
import {
  openSkillServer,
  PUBLISH,
  RELEASE,
  SKILL_SPEC,
  SKILL_SPECS,
  storeExamples,
  TOOL_SPEC,
  TOOL_SPECS,
} from './skill-server.ts';

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const BUNDLE = {
  bundle_format: 'agent_skills.v1',
  root: 'github-coding-custom',
  files: {
    'github-coding-custom/SKILL.md': [
      '---',
      'allowed-tools:',
      '  - github.custom@v1',
      'compatibility:',
      '  runtime: openagents-runtime',
      'description: Custom coding workflow skill',
      'name: github-coding-custom',
      '---',
      '',
      'Use coding tools for issue workflows.',
      '',
    ].join('\n'),
  },
  directories: {},
  tool_manifest_refs: [
    {
      tool_id: 'github.custom',
      version: 1,
      integration_id: 'github.custom',
      tool_pack: 'coding.v1',
    },
  ],
};

const sha256 = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex');
const BUNDLE_HASH = sha256(BUNDLE);
const RELEASE_ID = `skillrel_${sha256(['github-coding-custom', 1, BUNDLE_HASH]).slice(0, 24)}`;

test('publishes an immutable release, and answers with the same one ever after', async () => {
  const server = await openSkillServer();
  await storeExamples(server);

  const first = await server.post(PUBLISH, undefined);
  const again = await server.post(PUBLISH, {});
  const specs = await server.get(SKILL_SPECS);

  expect([first.status, first.body]).toEqual([
    201,
    {
      data: {
        release_id: RELEASE_ID,
        skill_id: 'github-coding-custom',
        version: 1,
        bundle_hash: BUNDLE_HASH,
        published_at: ISO,
      },
    },
  ]);
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect((specs.body as { data: object[] }).data[0]).toMatchObject({ state: 'published' });
});

test('gives one release to many who publish at once', async () => {
  const server = await openSkillServer();
  await storeExamples(server);

  const answers = await Promise.all(Array.from({ length: 8 }, () => server.post(PUBLISH, {})));

  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
});

test('refuses a skill whose tool is not there, not finished, or given up', async () => {
  const server = await openSkillServer();
  const notFound = {
    code: 'invalid_request',
    message: 'skill registry validation failed',
    details: [
      {
        reason_code: 'skill_registry.tool_not_found',
        path: 'allowed_tools.0',
        message: 'tool github.custom version 1 is not there as validated or published',
      },
    ],
  };
  await server.post(SKILL_SPECS, { skill_spec: SKILL_SPEC });

  const answers = [await server.post(PUBLISH, {})];
  for (const state of ['draft', 'deprecated']) {
    await server.post(TOOL_SPECS, { state, tool_spec: TOOL_SPEC });
    answers.push(await server.post(PUBLISH, {}));
  }

  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    answers.map(() => [422, { error: notFound }]),
  );
  expect((await server.get(RELEASE)).status).toBe(404);
});

test.each(['draft', 'deprecated'])('refuses a spec that is %s', async (state) => {
  const server = await openSkillServer();
  await server.post(TOOL_SPECS, { tool_spec: TOOL_SPEC });
  await server.post(SKILL_SPECS, { state, skill_spec: SKILL_SPEC });

  const answer = await server.post(PUBLISH, {});

  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ error: { code: 'conflict' } });
});

test.each([
  [
    `${SKILL_SPECS}/no-such-skill/1/publish`,
    404,
    'skill spec no-such-skill version 1 does not exist',
  ],
  [`${SKILL_SPECS}/github-coding/0/publish`, 400, 'version must be at least 1'],
  [`${SKILL_SPECS}/github-coding/one/publish`, 400, 'version must be an integer'],
])('answers %s with %i', async (path, status, message) => {
  const server = await openSkillServer();

  const answer = await server.post(path, {});

  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ error: { message } });
});

test('wants a user', async () => {
  const server = await openSkillServer();

  const answer = await server.post(PUBLISH, {}, { nobody: true });

  expect(answer.status).toBe(400);
});
