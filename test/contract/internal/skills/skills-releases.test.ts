import { createPublicKey, verify } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../../src/core/json.ts';
import { openDatabase } from '../../../../src/storage/sqlite/open-database.ts';
import { openSkillServer, PUBLISH, RELEASE, SKILL_SPECS, storeExamples } from './skill-server.ts';

test('hands out a release that anybody can check', async () => {
  const server = await openSkillServer();
  await storeExamples(server);
  await server.post(PUBLISH, {});

  const { status, body } = await server.get(RELEASE, { nobody: true });

  const { signature, ...content } = (body as { data: Record<string, unknown> }).data;
  const { public_key: key, value, ...rest } = signature as Record<string, string>;
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: Buffer.from(key ?? '', 'base64').toString('base64url'),
  };
  const isSigned = verify(
    null,
    Buffer.from(canonicalJson(content)),
    createPublicKey({ key: jwk, format: 'jwk' }),
    Buffer.from(value ?? '', 'base64'),
  );
  expect(status).toBe(200);
  expect(isSigned).toBe(true);
  expect(rest).toEqual({ algorithm: 'ed25519', key_id: expect.stringMatching(/^[0-9a-f]{16}$/) });
  expect(Object.keys(content).sort()).toEqual([
    'bundle',
    'bundle_hash',
    'compatibility_report',
    'published_at',
    'published_by',
    'release_id',
    'skill_id',
    'version',
  ]);
  expect(content).toMatchObject({
    published_by: 'user:42',
    compatibility_report: {
      validator: 'agent_skills_shape.v1',
      compatible: true,
      root: 'github-coding-custom',
      required_files: ['github-coding-custom/SKILL.md'],
      checked_at: content['published_at'],
    },
  });
});

test('keeps scripts, references and assets under the root, those that there are', async () => {
  const server = await openSkillServer();
  const skill_spec = {
    skill_id: 'full.skill',
    version: 3,
    name: 'Full: Skill!',
    description: 'Says "yes": always',
    instructions_markdown: '\n# Do it\n\n',
    license: 'MIT',
    metadata: { author: 'me', rank: 1 },
    scripts: [{ path: 'bin/run.sh', content: 'echo hi\n' }],
    assets: [{ path: 'dot.png', content: 'iVBORw0KGgo=', encoding: 'base64' }],
    references: [],
  };
  await server.post(SKILL_SPECS, { skill_spec });
  await server.post(`${SKILL_SPECS}/full.skill/3/publish`, {});

  const { body } = await server.get('/skills/releases/full.skill/3');

  expect((body as { data: { bundle: unknown } }).data.bundle).toEqual({
    bundle_format: 'agent_skills.v1',
    root: 'full-skill',
    files: {
      'full-skill/SKILL.md':
        '---\ndescription: "Says \\"yes\\": always"\nlicense: MIT\nmetadata:\n  author: me\n  rank: 1\nname: full-skill\n---\n\n# Do it\n',
    },
    directories: {
      'full-skill/scripts': [{ path: 'bin/run.sh', content: 'echo hi\n' }],
      'full-skill/assets': [{ path: 'dot.png', content: 'iVBORw0KGgo=', encoding: 'base64' }],
    },
    tool_manifest_refs: [],
  });
});

test('refuses a release that somebody altered in the store, and tells no agent of it', async () => {
  const server = await openSkillServer();
  await storeExamples(server);
  await server.post(PUBLISH, {});
  const file = join(server.runtime.root, '.openclawssy', 'pincer.db');
  const database = openDatabase({ file, readOnly: false });
  database.exec(
    "UPDATE skill_releases SET document = replace(document, 'issue workflows', 'other things')",
  );
  database.close();

  const read = await server.get(RELEASE);
  const published = await server.post(PUBLISH, {});

  expect([read.status, read.body]).toEqual([
    409,
    {
      error: {
        code: 'conflict',
        message:
          'skill release github-coding-custom version 1 was altered and is not used: its bundle does not have its bundle_hash',
      },
    },
  ]);
  expect([published.status, published.body]).toEqual([409, read.body]);
  await expect(
    server.skills.shelf.read({ principal: 'user:42', name: 'github-coding-custom' }),
  ).rejects.toThrow('was altered and is not used');
});

test.each([
  ['/skills/releases/github-coding-custom/1', 404],
  ['/skills/releases/github-coding-custom/0', 400],
  ['/skills/releases/github%00coding/1', 400],
])('answers %s with %i when there is none', async (path, status) => {
  const server = await openSkillServer();

  expect((await server.get(path)).status).toBe(status);
});
