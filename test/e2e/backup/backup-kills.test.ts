import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, openClawRoot } from '../cli/claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
  await mkdir(at('old'));
  expect((await root.claw(['ask', 'hello'], { cwd: 'old' })).code).toBe(0);
});

afterEach(() => root.dispose());

const at = (...names: string[]) => join(root.path, ...names);
const FILE = () => at('x.backup');

const killing = (point: string) => ({ CLAW_FAULT_POINT: point, CLAW_ALLOW_SCRIPTED_MODEL: '1' });

/** Every run of the state root in that folder. */
async function listRuns(folder: string): Promise<string[]> {
  const { stdout } = await root.claw(['runs', 'list', '--output-format', 'json'], { cwd: folder });
  return (JSON.parse(stdout) as { runs: { id: string }[] }).runs.map(({ id }) => id);
}

async function verify(folder: string): Promise<number | null> {
  return (await root.claw(['audit', 'verify'], { cwd: folder })).code;
}

/** Enough to be in the middle of it when a signal comes. */
async function makeBigWorkspace(): Promise<void> {
  await mkdir(at('old', 'workspace'), { recursive: true });
  const file = await open(at('old', 'workspace', 'big'), 'w');
  await file.truncate(1024 ** 3);
  await file.close();
}

test.each(['backup.after_copy', 'backup.before_rename'])(
  'a backup that is killed at %s leaves the one before, and the next one works',
  async (point) => {
    await writeFile(FILE(), 'the one before');

    const killed = await root.claw(['backup', FILE(), '--overwrite'], {
      cwd: 'old',
      env: killing(point),
    });
    const before = await readFile(FILE(), 'utf8');
    const next = await root.claw(['backup', FILE(), '--overwrite'], { cwd: 'old' });

    expect([killed.signal, before]).toEqual(['SIGKILL', 'the one before']);
    expect([next.code, existsSync(at('old', '.openclawssy', 'backup.tmp'))]).toEqual([0, false]);
    expect((await root.claw(['restore', FILE(), '--root', at('new')])).code).toBe(0);
    expect(await listRuns('new')).toEqual(await listRuns('old'));
  },
);

test.each(['restore.before_commit', 'restore.after_commit', 'restore.between_places'])(
  'a restore that is killed at %s is finished by the next one, and nothing is half there',
  async (point) => {
    await mkdir(at('old', 'workspace'), { recursive: true });
    await writeFile(at('old', 'workspace', 'note'), 'a note');
    await root.claw(['backup', FILE(), '--workspace'], { cwd: 'old' });
    await mkdir(at('new'));
    expect((await root.claw(['ask', 'hi'], { cwd: 'new' })).code).toBe(0);
    const own = await listRuns('new');
    const again = ['restore', FILE(), '--replace'];

    const killed = await root.claw(again, { cwd: 'new', env: killing(point) });
    const isDecided = existsSync(at('new', '.openclawssy.restore', 'commit.json'));
    const asked = await root.claw(['ask', 'hi'], { cwd: 'new' });
    const finished = await root.claw(again, { cwd: 'new' });

    expect([killed.signal, isDecided]).toEqual(['SIGKILL', point !== 'restore.before_commit']);
    // Decided, nobody works on half of it; undecided, nothing has changed.
    expect(asked.code).toBe(isDecided ? 1 : 0);
    expect([finished.code, await verify('new')]).toEqual([0, 0]);
    expect(await listRuns('new')).toEqual(await listRuns('old'));
    expect(await readFile(at('new', 'workspace', 'note'), 'utf8')).toBe('a note');
    const kept = (await readdir(at('new'))).filter((name) => name.includes('before-restore'));
    expect(kept.some((name) => name.startsWith('.openclawssy.'))).toBe(true);
    expect(own).toHaveLength(1);
  },
);

test('Ctrl-C ends a backup and leaves nothing of it', async () => {
  await makeBigWorkspace();
  const backup = root.start(['backup', FILE(), '--workspace'], { cwd: 'old' });
  await backup.saw('stderr', 'writing (');

  backup.child.kill('SIGINT');
  const { code, stderr } = await backup.ended;

  expect([code, stderr]).toEqual([130, expect.stringContaining('interrupted')]);
  expect((await readdir(root.path)).sort()).toEqual(['old']);
  expect(existsSync(at('old', '.openclawssy', 'backup.tmp'))).toBe(false);
});

test('Ctrl-C ends a restore and leaves nothing of it', async () => {
  await makeBigWorkspace();
  expect((await root.claw(['backup', FILE(), '--workspace'], { cwd: 'old' })).code).toBe(0);
  const restore = root.start(['restore', FILE(), '--root', at('new')]);
  await restore.saw('stderr', 'unpacking (');

  restore.child.kill('SIGINT');
  const { code } = await restore.ended;

  expect([code, await readdir(at('new'))]).toEqual([130, []]);
});
