import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { findWhyNoBwrap } from '../support/find-bwrap.ts';
import { findOnPath, installPackage } from '../support/system-packages.ts';
import { type Battlefield, expectDenied, openBattlefield } from './attack.ts';

const missing =
  (await findWhyNoBwrap('attacks through git')) ??
  (findOnPath('git') === undefined ? await installPackage('git') : undefined);

let field: Battlefield;
let workspace: string;

/** Runs in the sandbox if git can be brought to; leaves a file that tells. */
const PWN = 'touch "$PWN_FILE"';

beforeAll(async () => {
  field = await openBattlefield({
    shell: { enable_exec: true, allowed_commands: ['git', 'cd', 'cat', 'env'] },
    sandbox: { active: true, provider: 'bwrap' },
  });
  workspace = join(field.runtime.root, 'workspace');
  await mkdir(workspace, { recursive: true });
});

afterAll(async () => {
  await field.close();
  await field.remove();
});

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', args, { cwd: folder });
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(workspace, path)), { recursive: true });
  await writeFile(join(workspace, path), text, { mode: 0o755 });
}

/** A repository with a commit and a changed file, so that git looks at content. */
async function makeRepository(name: string): Promise<string> {
  const folder = join(workspace, name);
  await mkdir(folder);
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'config', 'user.name', 'a');
  git(folder, 'config', 'user.email', 'a@b');
  await put(`${name}/a.txt`, 'one\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'first');
  git(folder, 'branch', 'side');
  await put(`${name}/a.txt`, 'two\n');
  return folder;
}

async function call(tool: string, input: JsonObject): Promise<JsonObject> {
  const { events } = await field.attack({ tool, input });
  return events.find(({ type }) => type === 'tool.result')?.payload ?? {};
}

describe('the file tools', () => {
  test.each([
    ['fs.write', { path: 'x/.git/config', content: 'x', create_parents: true }],
    ['fs.write', { path: 'x/.GIT/config', content: 'x', create_parents: true }],
    ['fs.write', { path: 'x/.git', content: 'gitdir: ../evil' }],
    ['fs.write', { path: 'link/config', content: 'x' }],
    ['fs.write', { path: 'x/.git/hooks/post-checkout', content: 'x', create_parents: true }],
    ['fs.append', { path: 'x/.git/info/attributes', content: '* filter=x' }],
    ['fs.edit', { path: 'x/.git/config', old: '[core]', new: '[alias]' }],
    ['fs.move', { src: 'evil', dst: 'x/.git2/../.git' }],
    ['fs.move', { src: 'x/.git/config', dst: 'config' }],
    ['fs.delete', { path: 'x/.git/config' }],
    ['fs.delete', { path: 'x/.git', recursive: true }],
  ])('%s %j writes nothing into a repository', async (tool, input) => {
    await put('x/.git/config', '[core]\n');
    await put('x/.git2/.keep', '');
    await put('evil/config', '');
    await symlink('x/.git', join(workspace, 'link')).catch(() => {});

    const details = expectDenied(await field.attack({ tool, input }), tool);

    expect(details['reason']).toBe('git_directory');
    expect(await readFile(join(workspace, 'x/.git/config'), 'utf8')).toBe('[core]\n');
  });

  test('reading what git keeps is allowed', async () => {
    await put('x/.git/config', '[core]\n');

    expect(await call('fs.read', { path: 'x/.git/config' })).toMatchObject({ ok: true });
  });
});

/** Settings of a repository, in whatever way they got there, and the allowed command that would obey them. */
const SETTINGS: readonly (readonly [name: string, config: string, command: string])[] = [
  ['fsmonitor', '[core]\n\tfsmonitor = "PWN"', 'git status'],
  ['hooks path', '[core]\n\thooksPath = hooks', 'git checkout side'],
  ['clean filter', '[filter "f-1"]\n\tclean = "PWN"', 'git status'],
  ['filter, other spelling', '[core][FILTER "f-1"]cLean = "PWN"', 'git status'],
  ['filter, old spelling', '[filter.f-1]\n\tclean = "PWN"', 'git add .'],
  ['smudge filter', '[filter "f-1"]\n\tsmudge = "PWN"', 'git checkout side -- a.txt'],
  ['process filter', '[filter "f-1"]\n\tprocess = "PWN"\n\trequired = true', 'git diff'],
  ['textconv', '[diff "d-1"]\n\ttextconv = "PWN; cat"', 'git diff'],
  ['diff command', '[diff "d-1"]\n\tcommand = "PWN"', 'git diff'],
  ['external diff', '[diff]\n\texternal = "PWN"', 'git diff'],
  ['merge driver', '[merge "m"]\n\tdriver = "PWN"', 'git merge other'],
  ['alias', '[alias]\n\tstatus = "!PWN"\n\tst = "!PWN"', 'git status'],
  ['pager', '[core]\n\tpager = "PWN"\n[pager]\n\tlog = "PWN"', 'git log'],
  ['editor', '[core]\n\teditor = "PWN"', 'git commit --allow-empty'],
  ['gpg', '[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = pwn.sh', 'git commit -a -m x'],
  ['ssh', '[core]\n\tsshCommand = "PWN"\n[remote "o"]\n\turl = ssh://h/x', 'git fetch o'],
  ['upload-pack', '[remote "o"]\n\turl = .\n\tuploadpack = "PWN; git-upload-pack"', 'git fetch o'],
  [
    'ext',
    '[protocol "ext"]\n\tallow = always\n[remote "o"]\n\turl = "ext::sh pwn.sh"',
    'git fetch o',
  ],
  ['archive', '[tar "zz"]\n\tcommand = "PWN; cat"', 'git archive --format=zz HEAD'],
  ['trailer', '[trailer "t"]\n\tcmd = "PWN"', 'git commit -a -m x --trailer t=1'],
  ['include', '[include]\n\tpath = ../evil', 'git status'],
  ['conditional include', '[includeIf "gitdir:/"]\n\tpath = ../evil', 'git status'],
  ['no environment', '[core]\n\tfsmonitor = "PWN"', 'env -i git status'],
  ['less environment', '[core]\n\tfsmonitor = "PWN"', 'env -u GIT_CONFIG_COUNT git status'],
];

describe.skipIf(missing !== undefined)('git in the sandbox', () => {
  test.each(SETTINGS.map((setting, index) => [...setting, index] as const))(
    'runs nothing that a repository names: %s',
    async (_, config, command, index) => {
      const name = `r${index}`;
      const folder = await makeRepository(name);
      await put(`${name}/.gitattributes`, '* filter=f-1 diff=d-1 merge=m\n');
      await put(`${name}/hooks/post-checkout`, `#!/bin/sh\n${pwn(folder)}\n`);
      await put(`${name}/pwn.sh`, `#!/bin/sh\n${pwn(folder)}\n`);
      await put(`${name}/evil`, `[core]\n\tfsmonitor = ${JSON.stringify(pwn(folder))}\n`);
      const text = config.replaceAll('PWN', pwn(folder).replaceAll('"', '\\"'));
      const own = join(folder, '.git/config');
      await writeFile(own, `${await readFile(own, 'utf8')}\n${text}\n`);

      await call('shell.exec', { command: `cd ${name} && ${command}` });

      const isPwned = existsSync(join(folder, 'pwned'));
      await rm(folder, { recursive: true });
      expect(isPwned).toBe(false);
    },
  );

  test('runs no hook of a repository', async () => {
    const folder = await makeRepository('hooked');
    for (const hook of ['post-checkout', 'pre-commit', 'post-index-change']) {
      await put(`hooked/.git/hooks/${hook}`, `#!/bin/sh\n${pwn(folder)}\n`);
    }

    const checked = await call('shell.exec', { command: 'cd hooked && git checkout -f side' });

    expect(checked).toMatchObject({ ok: true, output: { exit_code: 0 } });
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  test('does not take a planted folder for a repository', async () => {
    const config = `[core]\n\tbare = true\n\tfsmonitor = "${pwn(join(workspace, 'bare')).replaceAll('"', '\\"')}"\n`;
    for (const [path, content] of [
      ['bare/HEAD', 'ref: refs/heads/main\n'],
      ['bare/config', config.replace('bare = true', 'worktree = ..')],
      ['bare/objects/keep', ''],
      ['bare/refs/keep', ''],
    ] as const) {
      const input = { path, content, create_parents: true };
      expect(await call('fs.write', input)).toMatchObject({ ok: true });
    }

    await call('shell.exec', { command: 'cd bare && git status' });
    await call('shell.exec', { command: 'git --git-dir=bare status' });
    await call('shell.exec', { command: 'git', args: ['--git-dir', 'bare', 'status'] });

    expect(existsSync(join(workspace, 'bare/pwned'))).toBe(false);
  });

  test('works as people know it', async () => {
    await makeRepository('plain');

    const daily = await call('shell.exec', {
      command: 'cd plain && git status --short && git diff && git add . && git log --oneline | cat',
    });

    expect(daily).toMatchObject({ ok: true, output: { exit_code: 0 } });
    expect(JSON.stringify(daily)).toMatch(/ M a.txt.*\+two.*first/);
  });
});

function pwn(folder: string): string {
  return PWN.replace('$PWN_FILE', join(folder, 'pwned'));
}
