import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../test/support/temp-root.ts';
import { createFile, isWithoutLinks } from './create-file.ts';

let temp: TempRoot;
let file: string;

beforeEach(async () => {
  temp = await openTempRoot();
  file = join(temp.path, 'file');
});

afterEach(() => temp.remove());

test('of many at once one makes the file, and all find it whole', async () => {
  const contents = Array.from({ length: 20 }, (_, index) => `${index} `.repeat(5_000));

  const made = await Promise.all(
    contents.map(async (content) => ({
      isOurs: await createFile(file, content),
      content,
      found: await readFile(file, 'utf8'),
    })),
  );

  const winners = made.filter(({ isOurs }) => isOurs);
  expect(winners).toHaveLength(1);
  expect(new Set(made.map(({ found }) => found))).toEqual(new Set([winners[0]?.content]));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(temp.path)).toEqual(['file']);
});

test('what is there is left as it is, also a link that leads nowhere', async () => {
  await writeFile(file, 'theirs');
  const dangling = join(temp.path, 'link');
  await symlink(join(temp.path, 'nowhere'), dangling);

  expect(await createFile(file, 'ours')).toBe(false);
  expect(await createFile(dangling, 'ours')).toBe(false);

  expect(await readFile(file, 'utf8')).toBe('theirs');
  expect((await readdir(temp.path)).sort()).toEqual(['file', 'link']);
});

test('a folder that is not there is said by its errno', async () => {
  const creating = createFile(join(temp.path, 'no', 'file'), 'ours');

  await expect(creating).rejects.toMatchObject({ code: 'ENOENT' });
});

test('tells a file system without second names from other refusals', () => {
  expect([{ code: 'EPERM' }, { code: 'ENOTSUP' }].map(isWithoutLinks)).toEqual([true, true]);
  expect([{ code: 'EEXIST' }, new Error('EPERM')].map(isWithoutLinks)).toEqual([false, false]);
});
