import { expect, test } from 'vitest';
import { OPERATOR } from '../../../../src/core/principal.ts';
import { openSkillServer, SKILL_SPEC, SKILL_SPECS, TOOL_SPEC, TOOL_SPECS } from './skill-server.ts';

const AUTHOR = { userId: 42 };
const STRANGER = { userId: 7 };

const KINDS = [
  {
    kind: 'tool' as const,
    path: TOOL_SPECS,
    builtIn: 'github.primary',
    bodyOf: (id: string, change: object = {}) => ({
      tool_spec: { ...TOOL_SPEC, tool_id: id, ...change },
    }),
  },
  {
    kind: 'skill' as const,
    path: SKILL_SPECS,
    builtIn: 'github-coding',
    bodyOf: (id: string, change: object = {}) => ({
      skill_spec: { ...SKILL_SPEC, skill_id: id, allowed_tools: [], ...change },
    }),
  },
];

test.each(KINDS)(
  'a $kind spec is its author’s and the operator’s',
  async ({ kind, path, bodyOf }) => {
    const server = await openSkillServer();
    const put = async (caller: object, change: object = {}) =>
      (await server.post(path, bodyOf('mine.own', change), caller)).status;
    const operator = {
      document: Object.values(bodyOf('mine.own', { name: 'Ours' }))[0],
      by: OPERATOR,
    };

    expect(await put(AUTHOR)).toBe(201);
    const refused = await server.post(path, bodyOf('mine.own', { name: 'Theirs' }), STRANGER);
    const statuses = [
      await put(STRANGER),
      await put(STRANGER, { version: 2 }),
      await put(AUTHOR, { version: 2 }),
      await put(STRANGER, { version: 3 }),
    ];
    await server.skills.registry.put(kind, operator);
    statuses.push(await put(AUTHOR, { name: 'Mine again' }));

    expect(refused).toMatchObject({
      status: 403,
      body: {
        error: { code: 'forbidden', message: `${kind} spec mine.own does not belong to principal` },
      },
    });
    expect(statuses).toEqual([403, 403, 201, 403, 201]);
  },
);

test.each(KINDS)('an id of a built-in $kind spec is reserved, in every version', async (row) => {
  const { kind, path, builtIn, bodyOf } = row;
  const server = await openSkillServer();

  const answers = [
    await server.post(path, bodyOf(builtIn), AUTHOR),
    await server.post(path, bodyOf(builtIn, { version: 9 }), AUTHOR),
  ];

  const message = `${kind} spec ${builtIn} is built in, and its id is reserved`;
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    answers.map(() => [403, { error: { code: 'forbidden', message } }]),
  );
  const listed = await server.skills.registry.list(kind);
  expect(listed.every(({ stored }) => stored === undefined)).toBe(true);
});

test.each(KINDS)(
  'of several who make a $kind spec at once one has it',
  async ({ path, bodyOf }) => {
    const server = await openSkillServer();
    const users = Array.from({ length: 12 }, (_, index) => index + 1);

    const answers = await Promise.all(
      users.map((userId) =>
        server.post(path, bodyOf('of.one', { name: `By ${userId}` }), { userId }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 11 }, () => 403),
    ]);
  },
);

test('a skill is published by its author or the operator, and one that is built in by the operator', async () => {
  const server = await openSkillServer();
  const bodyOf = KINDS[1]!.bodyOf;
  for (const id of ['of.author', 'of.both']) await server.post(SKILL_SPECS, bodyOf(id), AUTHOR);
  const publish = async (id: string, caller: object) =>
    (await server.post(`${SKILL_SPECS}/${id}/1/publish`, {}, caller)).status;

  const statuses = [
    await publish('of.nobody', STRANGER),
    await publish('of.author', STRANGER),
    await publish('of.author', AUTHOR),
    await publish('of.author', STRANGER),
    await publish('github-coding', STRANGER),
  ];
  const none = await server.get('/skills/releases/github-coding/1');
  const publishAll = ['of.both', 'github-coding'].map((skillId) =>
    server.skills.releases.publish({ skillId, version: 1, by: OPERATOR }),
  );
  const published = (await Promise.all(publishAll)).map((release) => release.published_by);
  const later = await publish('github-coding', STRANGER);

  expect(statuses).toEqual([404, 403, 201, 403, 403]);
  expect(none.status).toBe(404);
  expect(published).toEqual([OPERATOR, OPERATOR]);
  expect(later).toBe(403);
});
