import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../test/support/temp-root.ts';
import type { Protection } from '../core/sandbox/sandbox.ts';
import { refusePlanted } from './refuse-planted.ts';

let temporary: TempRoot;
let workspace: string;

beforeEach(async () => {
  temporary = await openTempRoot();
  workspace = join(temporary.path, 'workspace');
  await mkdir(workspace);
});

afterEach(() => temporary.remove());

/** Names that some file systems take for the same are the same. */
function protect(name: string): Protection {
  return /^\.(?:openclawssy|claw)\.*$/i.test(name) ? 'hidden' : 'open';
}

const NOTHING = { guarded: [], repositories: [], privileged: [], faults: [] };
const EMPTY = { mounts: [], witnesses: [], expected: '', hidden: [], survey: NOTHING };

function refuse(): Promise<readonly string[]> {
  const plan = { ...EMPTY, workspace };
  return refusePlanted({ plan, protect, mayHaveSetIds: false });
}

async function listGuarded(): Promise<readonly string[]> {
  const names = await readdir(workspace, { recursive: true });
  return names.filter((path) => protect(path.slice(path.lastIndexOf('/') + 1)) !== 'open');
}

test('names that were taken beforehand save nothing that a command planted', async () => {
  const taken = ['refused', ...Array.from({ length: 100 }, (_, index) => `refused-${index + 1}`)];
  for (const prefix of taken) await writeFile(join(workspace, `${prefix}.openclawssy`), '');
  await mkdir(join(workspace, '.openclawssy'));

  expect(await refuse()).toEqual(['.openclawssy']);
  expect(await listGuarded()).toEqual([]);
});

test('a name as long as names may be is taken away too', async () => {
  await mkdir(join(workspace, `.claw${'.'.repeat(250)}`));
  await mkdir(join(workspace, 'zz/.openclawssy'), { recursive: true });

  expect(await refuse()).toHaveLength(2);
  expect(await listGuarded()).toEqual([]);
});

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

/** As a user whom modes keep out. */
function refuseAsUser(): string {
  const module = fileURLToPath(new URL('./refuse-planted.ts', import.meta.url));
  const plan = { ...EMPTY, workspace };
  const code = `const { refusePlanted } = await import(${JSON.stringify(module)});
    const protect = (name) => (name === '.openclawssy' ? 'hidden' : 'open');
    const aftermath = { plan: ${JSON.stringify(plan)}, protect, mayHaveSetIds: false };
    console.log(JSON.stringify(await refusePlanted(aftermath).catch(({ message }) => message)));`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', code];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env.PATH, TMPDIR: temporary.path },
    encoding: 'utf8',
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  return stdout || stderr;
}

async function make(path: string): Promise<string> {
  const made = join(workspace, path);
  await mkdir(made, { recursive: true });
  if (isRoot) {
    for (let at = made; at !== temporary.path; at = join(at, '..')) await chown(at, NOBODY, NOBODY);
  }
  return made;
}

test('folders that a command closed are opened, and what is in them is taken away', async () => {
  await chmod(temporary.path, 0o777);
  await make('.openclawssy');
  for (const [folder, mode] of [
    ['closed', 0o000],
    ['listed', 0o400],
    ['read-only', 0o500],
    ['entered', 0o300],
  ] as const) {
    await make(`${folder}/deep/.openclawssy`);
    await chmod(await make(`${folder}/deep`), mode);
    await make(`${folder}-above/.openclawssy`);
    await chmod(await make(`${folder}-above`), mode);
  }

  const said = JSON.parse(refuseAsUser());

  expect(said).toHaveLength(9);
  expect(await listGuarded()).toEqual([]);
});

test('what can not be looked into keeps nothing else from being taken away', async () => {
  await mkdir(join(workspace, '.openclawssy'));
  // Longer than a path may be: it can be made step by step only.
  const steps = `for i in $(seq 25); do mkdir ${'d'.repeat(200)}; cd ${'d'.repeat(200)}; done`;
  expect(spawnSync('bash', ['-c', steps], { cwd: workspace }).status).toBe(0);

  await expect(refuse()).rejects.toMatchObject({
    code: 'tool_failed',
    message: expect.stringContaining("can't be looked into (ENAMETOOLONG)"),
  });
  expect((await readdir(workspace)).filter((name) => protect(name) !== 'open')).toEqual([]);
  spawnSync('rm', ['-rf', workspace]);
});
