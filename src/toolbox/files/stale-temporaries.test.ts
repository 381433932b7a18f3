import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callTool, openTestWorkspace, type TestWorkspace } from '../test-workspace.ts';
import { createFsWrite } from './fs-write.ts';
import { createPathGuard } from './paths/path-guard.ts';

const NOW_MS = Date.UTC(2026, 0, 2);
const MINUTE_MS = 60_000;
const STALE = '.pincer-00112233aabbccdd.tmp';

let workspace: TestWorkspace;
let nowMs: number;
let write: (path: string) => Promise<unknown>;

beforeEach(async () => {
  workspace = await openTestWorkspace();
  nowMs = NOW_MS;
  const guard = createPathGuard({ root: workspace.root, reserved: [], nowMs: () => nowMs });
  const tool = createFsWrite(guard);
  write = (path) => callTool(tool, { path, content: 'x' });
  await mkdir(join(workspace.root, 'dir/sub'), { recursive: true });
});

afterEach(() => workspace.remove());

async function leave(name: string, ageMs: number): Promise<void> {
  const path = join(workspace.root, 'dir', name);
  await writeFile(path, 'left by a killed process');
  const at = new Date(NOW_MS - ageMs);
  await utimes(path, at, at);
}

const left = async () => (await readdir(join(workspace.root, 'dir'))).sort();

test('a write removes what killed writes left in its directory more than ten minutes ago', async () => {
  await leave(STALE, 10 * MINUTE_MS);
  await leave('.pincer-1111111111111111.tmp', 9 * MINUTE_MS);
  await leave('.pincer-xyz.tmp', 60 * MINUTE_MS);
  await leave('other.tmp', 60 * MINUTE_MS);
  await leave(`sub/${STALE}`, 60 * MINUTE_MS);

  await write('dir/a.txt');

  expect(await left()).toEqual([
    '.pincer-1111111111111111.tmp',
    '.pincer-xyz.tmp',
    'a.txt',
    'other.tmp',
    'sub',
  ]);
  expect(await readdir(join(workspace.root, 'dir/sub'))).toEqual([STALE]);
});

test('looks at the same directory again only after ten minutes', async () => {
  await write('dir/a.txt');
  await leave(STALE, 60 * MINUTE_MS);

  nowMs += 9 * MINUTE_MS;
  await write('dir/a.txt');
  const before = await left();
  nowMs += MINUTE_MS;
  await write('dir/a.txt');

  expect(before).toEqual([STALE, 'a.txt', 'sub']);
  expect(await left()).toEqual(['a.txt', 'sub']);
});

test('leaves a directory or a link of such a name alone', async () => {
  const before = await workspace.readOutside();
  await mkdir(join(workspace.root, 'dir', STALE));
  const link = '.pincer-2222222222222222.tmp';
  await symlink(join(workspace.outside, 'secret.txt'), join(workspace.root, 'dir', link));
  nowMs = Date.now() + 60 * MINUTE_MS;

  await write('dir/a.txt');

  expect(await left()).toEqual([STALE, link, 'a.txt', 'sub']);
  expect(await workspace.readOutside()).toEqual(before);
});
