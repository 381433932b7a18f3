import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { silentLogger } from '../../core/log.ts';
import { OPERATOR } from '../../core/principal.ts';
import { createSkills } from '../../core/skills/skills.ts';
import { createSigningKeyFile } from '../../storage/files/signing-key-file.ts';
import { openSqliteStorage } from '../../storage/sqlite/open-sqlite-storage.ts';
import { callTool, failureOf } from '../test-workspace.ts';
import { createSkillRead } from './skill-read.ts';

async function openSkills(settings = { isEnabled: true, maxInPrompt: 20 }) {
  const root = await openTempRoot();
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(async () => {
    await storage.close();
    await root.remove();
  });
  const key = createSigningKeyFile({ file: join(root.path, 'key'), need: 'tests' });
  const clock = new ManualClock();
  const deps = {
    store: storage.skills,
    keys: { getOwn: () => key.get(), findOwn: () => key.find(), trusted: () => [] },
    clock,
    logger: silentLogger,
    settings: () => settings,
  };
  return { ...createSkills(deps), clock, beside: createSkills(deps) };
}

function spec(overrides: object = {}) {
  return {
    skill_id: 'tidy-up',
    version: 1,
    name: 'Tidy Up',
    description: 'Tidies\n up',
    instructions_markdown: '# Tidy\n\nDo it.',
    references: [{ path: 'how.md', content: 'like this' }],
    assets: [{ path: 'dot.png', content: 'AP8B', encoding: 'base64' as const }],
    ...overrides,
  };
}

type Opened = Awaited<ReturnType<typeof openSkills>>;

async function publish(
  { registry, releases }: Pick<Opened, 'registry' | 'releases'>,
  document: ReturnType<typeof spec>,
  by = OPERATOR,
) {
  await registry.put('skill', { document, by });
  await releases.publish({ skillId: document.skill_id, version: document.version, by });
}

test('reads instructions without front matter, and each file of a skill', async () => {
  const skills = await openSkills();
  await publish(skills, spec());
  const tool = createSkillRead(skills.shelf);

  const whole = await callTool(tool, { name: 'tidy-up' });
  const file = await callTool(tool, { name: 'tidy-up', path: 'references/how.md' });
  const bytes = await callTool(tool, { name: 'tidy-up', path: 'assets/dot.png' });

  const files = ['assets/dot.png', 'references/how.md'];
  expect(whole).toEqual({
    name: 'tidy-up',
    version: 1,
    path: 'SKILL.md',
    content: '# Tidy\n\nDo it.',
    truncated: false,
    files,
  });
  expect(file).toMatchObject({ content: 'like this', files: ['SKILL.md', 'assets/dot.png'] });
  expect(bytes).toMatchObject({ content: 'AP8B', encoding: 'base64' });
});

test('knows the newest release that is not deprecated, one plain line of each', async () => {
  const skills = await openSkills({ isEnabled: true, maxInPrompt: 2 });
  await publish(skills, spec());
  await publish(skills, spec({ version: 2, instructions_markdown: 'Better.' }));
  await publish(skills, spec({ skill_id: 'other.tidy', description: 'Same name' }));
  await publish(skills, spec({ skill_id: 'zzz', name: 'Zzz', description: 'Cut off' }));
  const read = async () =>
    (await skills.shelf.read({ principal: 'operator', name: 'tidy-up' })).version;

  const lines = await skills.shelf.listForPrompt('operator');
  const newest = await read();
  const byId = await skills.shelf.read({ principal: 'operator', name: 'other.tidy' });
  const deprecated = spec({ version: 2, instructions_markdown: 'Better.' });
  await skills.registry.put('skill', { document: deprecated, state: 'deprecated', by: OPERATOR });
  const older = await read();

  expect(lines).toEqual([
    { name: 'other.tidy', description: 'Same name' },
    { name: 'tidy-up', description: 'Tidies up' },
  ]);
  expect([newest, byId.version, older]).toEqual([2, 1, 1]);
});

test('what a principal publishes is for that principal, and renames nothing for others', async () => {
  const skills = await openSkills();
  await publish(skills, spec({ skill_id: 'of.operator', description: 'Ours' }));
  await publish(skills, spec({ skill_id: 'of.user', description: 'Obey me' }), 'user:1');
  const linesOf = async (principal: string) =>
    (await skills.shelf.listForPrompt(principal)).map(
      ({ name, description }) => `${name}: ${description}`,
    );
  const read = (principal: string, name: string) => skills.shelf.read({ principal, name });

  expect(await linesOf(OPERATOR)).toEqual(['tidy-up: Ours']);
  expect(await linesOf('user:2')).toEqual(['tidy-up: Ours']);
  expect(await linesOf('user:1')).toEqual(['of.operator: Ours', 'of.user: Obey me']);
  expect((await read('user:2', 'tidy-up')).name).toBe('tidy-up');
  for (const principal of [OPERATOR, 'user:2']) {
    expect((await failureOf(read(principal, 'of.user'))).code).toBe('not_found');
  }
});

test('sees what another process published after a few seconds', async () => {
  const skills = await openSkills();
  const before = await skills.shelf.listForPrompt('operator');
  await publish(skills.beside, spec());

  const atOnce = await skills.shelf.listForPrompt('operator');
  skills.clock.advance(5_000);
  const later = await skills.shelf.listForPrompt('operator');

  expect([before, atOnce]).toEqual([[], []]);
  expect(later).toEqual([{ name: 'tidy-up', description: 'Tidies up' }]);
});

test('says what there is when asked for something else', async () => {
  const skills = await openSkills();
  await publish(skills, spec());
  const tool = createSkillRead(skills.shelf);

  const skill = await failureOf(callTool(tool, { name: 'tidy' }));
  const file = await failureOf(callTool(tool, { name: 'tidy-up', path: '../../etc/passwd' }));

  expect([skill.code, skill.message]).toEqual([
    'not_found',
    'skill tidy does not exist; there are tidy-up',
  ]);
  expect([file.code, file.message]).toEqual([
    'not_found',
    'skill tidy-up has no file ../../etc/passwd; it has SKILL.md, assets/dot.png, references/how.md',
  ]);
});

test('tells nothing and reads nothing when skills are switched off', async () => {
  const skills = await openSkills({ isEnabled: false, maxInPrompt: 20 });
  await publish(skills, spec());

  const lines = await skills.shelf.listForPrompt('operator');
  const failure = await failureOf(callTool(createSkillRead(skills.shelf), { name: 'tidy-up' }));

  expect(lines).toEqual([]);
  expect(failure.message).toBe('skill tidy-up does not exist; there are no skills');
});

test('keeps what a description says, in whatever signs it was written', async () => {
  const skills = await openSkills();
  const description = 'Tidies\r\nup: "all"\u0007 --- \u2028of \\u0041 it #1';

  await publish(skills, spec({ description }));

  expect(await skills.shelf.listForPrompt('operator')).toEqual([
    { name: 'tidy-up', description: 'Tidies up: "all" --- of \\u0041 it #1' },
  ]);
});

test('reads a long file piece by piece, and no character is lost', async () => {
  const skills = await openSkills();
  const long = `${'x'.repeat(16_383)}${'😀'.repeat(10_000)}end`;
  await publish(skills, spec({ references: [{ path: 'long.md', content: long }] }));
  const tool = createSkillRead(skills.shelf);

  const pieces: string[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const request = { name: 'tidy-up', path: 'references/long.md', offset };
    const piece = (await callTool(tool, request)) as { content: string; next_offset?: number };
    expect(piece.content.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThan(64 * 1024);
    pieces.push(piece.content);
    offset = piece.next_offset;
  }

  expect(pieces).toHaveLength(3);
  expect(pieces.join('')).toBe(long);
});
