import { expect, test } from 'vitest';
import { assembleSkills } from '../../../src/assembly/assemble-skills.ts';
import { createLiveConfig } from '../../../src/config/live-config.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { silentLogger } from '../../../src/core/log.ts';
import { type AdminServer, openAdminServer } from './test-admin-server.ts';

const SKILLS = '/api/admin/skills';
const SKILL = `${SKILLS}/release-notes/1`;

const SPEC = {
  skill_id: 'release-notes',
  version: 1,
  name: 'Release Notes',
  description: 'Writes release notes',
  instructions_markdown: 'Read the log and write notes.',
  allowed_tools: [{ tool_id: 'github.primary', version: 1 }],
  compatibility: { runtime: 'pincer' },
  commercial: { pricing_model: 'free', currency: 'BTC_SATS' },
};

/** A skill that a user of `/internal/v1` wrote. */
async function openWithSkill(state = 'validated'): Promise<AdminServer> {
  const server = await openAdminServer();
  const live = createLiveConfig(await loadConfig({ root: server.root, env: {} }));
  const { skills } = assembleSkills({ live, storage: server.storage, logger: silentLogger });
  await skills.registry.put('skill', { document: SPEC, state, by: 'user:7' });
  return server;
}

interface Skill {
  readonly skill_id: string;
  readonly version: number;
  readonly state: string | null;
  readonly current: boolean;
}

async function find(server: AdminServer): Promise<Skill | undefined> {
  const { body } = await server.call(SKILLS);
  return (body as { skills: Skill[] }).skills.find(({ skill_id }) => skill_id === 'release-notes');
}

test('lists skills of all owners beside those that are built in', async () => {
  const server = await openWithSkill();

  const answer = await server.call(SKILLS);

  const { skills, tools } = answer.body as { skills: Skill[]; tools: object[] };
  expect(answer.status).toBe(200);
  expect(skills).toContainEqual({
    skill_id: 'release-notes',
    version: 1,
    state: 'validated',
    owner: 'user:7',
    built_in: false,
    current: false,
    release: null,
  });
  expect(tools).toContainEqual(
    expect.objectContaining({ tool_id: 'github.primary', built_in: true, owner: 'operator' }),
  );
});

test('releases a skill once, shows its files, and withdraws it', async () => {
  const server = await openWithSkill();

  const released = await server.post(`${SKILL}/publish`, undefined);
  const again = await server.post(`${SKILL}/publish`, undefined);
  const told = await find(server);
  const deprecated = await server.post(`${SKILL}/deprecate`, undefined);

  expect([released.status, released.body]).toEqual([
    200,
    {
      skill_id: 'release-notes',
      version: 1,
      state: 'published',
      owner: 'user:7',
      built_in: false,
      current: true,
      release: {
        release_id: expect.stringMatching(/^skillrel_/),
        published_at: expect.any(String),
        signature: 'valid',
        signed_by: 'own',
        key_id: expect.any(String),
        public_key: expect.any(String),
        reason: null,
      },
      spec: SPEC,
      description: 'Writes release notes',
      instructions: expect.stringContaining('Read the log and write notes.'),
      files: expect.arrayContaining([expect.objectContaining({ path: 'SKILL.md' })]),
    },
  ]);
  expect(again.body).toEqual(released.body);
  expect(told?.current).toBe(true);
  expect(deprecated.body).toMatchObject({ state: 'deprecated', current: false });
  expect(await find(server)).toMatchObject({ state: 'deprecated', current: false });
});

test.each<[method: string, path: string, status: number, code: string]>([
  ['GET', `${SKILLS}/nothing/1`, 404, 'skill.not_found'],
  ['GET', `${SKILLS}/release-notes/0`, 400, 'invalid.request'],
  ['GET', `${SKILLS}/no!/1`, 400, 'invalid.request'],
  ['POST', `${SKILLS}/nothing/1/publish`, 404, 'skill_spec.not_found'],
  ['POST', `${SKILLS}/nothing/1/deprecate`, 404, 'skill.not_found'],
])('%s %s is %i', async (method, path, status, code) => {
  const server = await openWithSkill();

  const answer = await server.call(path, { method });

  expect([answer.status, (answer.body as { error: { code: string } }).error.code]).toEqual([
    status,
    code,
  ]);
});

test('a draft is not released, and nothing is without the token', async () => {
  const server = await openWithSkill('draft');

  const draft = await server.post(`${SKILL}/publish`, undefined);
  const anonymous = await server.post(`${SKILL}/publish`, undefined, { anonymous: true });

  expect([draft.status, anonymous.status]).toEqual([409, 401]);
  expect(await find(server)).toMatchObject({ state: 'draft' });
});
