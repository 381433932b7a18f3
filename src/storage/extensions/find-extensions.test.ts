import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import type { ExtensionEntry } from '../../core/inventory/inventory-entry.ts';
import { readExtensionText } from './extension-text.ts';
import { findExtensions } from './find-extensions.ts';

let temp: TempRoot;
let root: string;
let homeDir: string | undefined;
let workspaceDir: string;

beforeEach(async () => {
  temp = await openTempRoot();
  root = join(temp.path, 'root');
  homeDir = join(temp.path, 'home');
  workspaceDir = join(root, 'workspace');
});

afterEach(() => temp.remove());

async function put(path: string, text: string): Promise<string> {
  const absolute = join(temp.path, path);
  await mkdir(dirname(absolute), { recursive: true });
  await writeFile(absolute, text);
  return absolute;
}

function skill(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n\nDo it.\n`;
}

function find() {
  return findExtensions({ root, workspaceDir, homeDir });
}

async function names(): Promise<string[]> {
  const { entries } = await find();
  return entries.map(({ origin, name, sourceHint }) => `${origin} ${name} ${sourceHint}`);
}

test('finds nothing where there is nothing', async () => {
  expect(await find()).toEqual({ entries: [], problems: [] });
});

test('finds skills in every usual folder, with what they say about themselves', async () => {
  const file = await put('root/.claw/skills/tidy/SKILL.md', skill('tidy', '"Tidies: up"'));
  await put('root/skills/plain/SKILL.md', '# Plain words\n\nText.\n');
  await put('root/.claw/commands/ship.md', 'Ship it.\n');
  await put('root/workspace/.agents/skills/graph/SKILL.md', skill('graph', 'Draws'));
  await put('home/.codex/skills/mine/SKILL.md', skill('mine', 'Of my own'));
  await put('home/skills/elsewhere/SKILL.md', skill('elsewhere', 'Not looked for'));

  const { entries, problems } = await find();

  expect(problems).toEqual([]);
  expect(entries[0]).toEqual({
    kind: 'command',
    name: 'tidy',
    aliases: [],
    responsibility: 'Tidies: up',
    sourceHint: '.claw/skills/tidy/SKILL.md',
    origin: 'skill',
    file,
  });
  expect(
    entries.map(({ name, responsibility, sourceHint }) => [name, responsibility, sourceHint]),
  ).toEqual([
    ['tidy', 'Tidies: up', '.claw/skills/tidy/SKILL.md'],
    ['plain', 'Plain words', 'skills/plain/SKILL.md'],
    ['ship', 'Ship it.', '.claw/commands/ship.md'],
    ['mine', 'Of my own', '~/.codex/skills/mine/SKILL.md'],
    ['graph', 'Draws', 'workspace/.agents/skills/graph/SKILL.md'],
  ]);
});

test('finds the commands of plugins, in each form they are declared in', async () => {
  const manifest = {
    name: 'kit',
    commands: [
      { name: 'lint', description: 'Checks the style' },
      { name: 'fix', file: 'texts/fix.md' },
      './commands/deploy.md',
    ],
  };
  await put('root/.claw/plugins/kit/plugin.json', JSON.stringify(manifest));
  const fix = await put('root/.claw/plugins/kit/texts/fix.md', skill('other', 'Mends'));
  const deploy = await put('root/.claw/plugins/kit/commands/deploy.md', '# Deploys\n');

  const { entries, problems } = await find();

  const common = {
    kind: 'command',
    origin: 'plugin',
    sourceHint: '.claw/plugins/kit/plugin.json',
  };
  expect(problems).toEqual([]);
  expect(entries).toEqual([
    {
      ...common,
      name: 'kit:lint',
      aliases: ['lint'],
      responsibility: 'Checks the style',
      file: undefined,
    },
    { ...common, name: 'kit:fix', aliases: ['fix'], responsibility: 'Mends', file: fix },
    { ...common, name: 'kit:deploy', aliases: ['deploy'], responsibility: 'Deploys', file: deploy },
  ]);
});

test('keeps the first of a name: what agents may write never hides what their owner wrote', async () => {
  await put('home/.claw/skills/tidy/SKILL.md', skill('tidy', 'Mine'));
  await put('root/workspace/.claw/skills/tidy/SKILL.md', skill('TIDY', 'Planted'));

  expect(await names()).toEqual(['skill tidy ~/.claw/skills/tidy/SKILL.md']);
});

test('looks once into a folder that has two names', async () => {
  await put('root/.claw/skills/tidy/SKILL.md', skill('tidy', 'Tidies'));
  homeDir = root;
  workspaceDir = root;

  expect(await names()).toEqual(['skill tidy .claw/skills/tidy/SKILL.md']);
});

test('does without a home', async () => {
  await put('root/.claw/skills/tidy/SKILL.md', skill('tidy', 'Tidies'));
  homeDir = undefined;

  expect(await names()).toEqual(['skill tidy .claw/skills/tidy/SKILL.md']);
});

test('reports what is broken, and finds the rest', async () => {
  await put('root/.claw/skills/bad-name/SKILL.md', skill('../up', 'Climbs'));
  await put('root/.claw/skills/binary/SKILL.md', 'a\0b');
  await put('root/.claw/skills/empty/SKILL.md', '\n#\n');
  await put('root/.claw/skills/huge/SKILL.md', 'x'.repeat(64 * 1024 + 1));
  await put('root/.claw/skills/open/SKILL.md', '---\nname: open\n');
  await put('root/.claw/skills/works/SKILL.md', skill('works', 'Works'));
  await put('root/.claw/skills/no-skill/README.md', 'nothing');
  await put('root/.claw/plugins/a/plugin.json', '{');
  await put('root/.claw/plugins/b/readme.md', '');
  await put('root/.claw/plugins/c/plugin.json', '{"commands":{}}');
  const commands = [{ name: 'a/b' }, 'gone.md', 7, { name: 'works' }];
  await put('root/.claw/plugins/d/plugin.json', JSON.stringify({ commands }));

  const { entries, problems } = await find();

  expect(entries.map(({ name }) => name)).toEqual(['works', 'd:works']);
  expect(problems.map(({ path, message }) => `${path} ${message}`)).toEqual([
    '.claw/skills/bad-name/SKILL.md has a name that is not letters, digits, dots, dashes and underscores, at most 64',
    '.claw/skills/binary/SKILL.md is not text',
    '.claw/skills/empty/SKILL.md is empty',
    '.claw/skills/huge/SKILL.md is larger than 65536 bytes',
    '.claw/skills/open/SKILL.md has front matter that is not closed by ---',
    '.claw/plugins/a/plugin.json is not a JSON object',
    '.claw/plugins/b/plugin.json is missing',
    '.claw/plugins/c/plugin.json has commands that are no list',
    '.claw/plugins/d/plugin.json has no plain name at commands[0]',
    '.claw/plugins/d/gone.md is missing',
    '.claw/plugins/d/plugin.json has no plain name at commands[2]',
  ]);
});

test('follows no link out of a folder, and links within it', async () => {
  const outside = await put('outside/secret.md', 'A secret');
  await put('outside/skills/far/SKILL.md', skill('far', 'Far away'));
  await put('root/.claw/skills/near/SKILL.md', skill('near', 'Near'));
  const skills = join(root, '.claw/skills');
  await symlink(join(temp.path, 'outside/skills/far'), join(skills, 'far'));
  await symlink(join(skills, 'near'), join(skills, 'twin'));
  await symlink('/nonexistent', join(skills, 'nowhere'));
  await symlink(join(temp.path, 'outside/skills'), join(root, 'skills'));
  const commands = ['../../../../outside/secret.md', outside, 'link.md'];
  await put('root/.claw/plugins/kit/plugin.json', JSON.stringify({ commands }));
  await symlink(outside, join(root, '.claw/plugins/kit/link.md'));

  const { entries, problems } = await find();

  expect(entries.map(({ name }) => name)).toEqual(['near']);
  expect(problems.map(({ message }) => message)).toEqual([
    'leads out of its folder',
    'leads out of the folder it lies in',
    'leads out of its folder',
    'leads out of its folder',
    'leads out of its folder',
  ]);
});

test('does not wait on a pipe in place of a file', async () => {
  await mkdir(join(root, '.claw/commands'), { recursive: true });
  execFileSync('mkfifo', [join(root, '.claw/commands/wait.md')]);

  expect(await find()).toEqual({
    entries: [],
    problems: [{ path: '.claw/commands/wait.md', message: 'is not a regular file' }],
  });
});

test('leaves out what exceeds its bounds, and says so', async () => {
  const text = 'Do it.';
  await Promise.all(
    Array.from({ length: 501 }, (_, at) => put(`root/.claw/commands/c${at}.md`, text)),
  );
  await put('home/.claw/commands/long.md', `---\ndescription: ${'é'.repeat(400)}\n---\n`);

  const { entries, problems } = await find();

  expect(entries).toHaveLength(501);
  expect(problems).toEqual([
    { path: '.claw/commands', message: 'holds more than 500 entries; some are left out' },
  ]);
  expect(entries.at(-1)?.responsibility).toBe(`${'é'.repeat(299)}…`);
});

test('makes one plain line of what a stranger wrote', async () => {
  await put('root/.claw/skills/x/SKILL.md', skill('x', '"a\\n\u001b[2Jb\tc"'));

  const { entries } = await find();

  expect(entries[0]?.responsibility).toBe('a [2Jb c');
});

test('gives the text of a skill without what it says about itself', async () => {
  await put('root/.claw/skills/tidy/SKILL.md', skill('tidy', 'Tidies'));
  const [entry] = (await find()).entries;

  expect(await readExtensionText(entry as ExtensionEntry)).toBe('# tidy\n\nDo it.');
});

test('refuses the text of a command that has none, or has lost it', async () => {
  await put('root/.claw/plugins/kit/plugin.json', '{"commands":[{"name":"lint"}]}');
  const [lint] = (await find()).entries as [ExtensionEntry];
  const gone = { ...lint, file: join(root, 'gone.md') };

  await expect(readExtensionText(lint)).rejects.toThrow(
    'command kit:lint has no text of instructions',
  );
  await expect(readExtensionText(gone)).rejects.toThrow('.claw/plugins/kit/plugin.json is gone');
});
