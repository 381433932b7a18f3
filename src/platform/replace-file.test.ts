import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../test/support/temp-root.ts';
import { replaceFile } from './replace-file.ts';

let temp: TempRoot;
let file: string;

beforeEach(async () => {
  temp = await openTempRoot();
  file = join(temp.path, 'file');
});

afterEach(() => temp.remove());

test('the new content is for the owner alone, however open the old file was', async () => {
  await writeFile(file, 'old');
  await chmod(file, 0o666);

  await replaceFile(file, 'new');

  expect(await readFile(file, 'utf8')).toBe('new');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(temp.path)).toEqual(['file']);
});

test('a mode that is asked for is given', async () => {
  await replaceFile(file, new Uint8Array([104, 105]), { mode: 0o400 });

  expect(await readFile(file, 'utf8')).toBe('hi');
  expect((await stat(file)).mode & 0o777).toBe(0o400);
});

test('many at once leave one of their contents, whole, and nothing else', async () => {
  const contents = Array.from({ length: 20 }, (_, index) => `${index} `.repeat(5_000));

  await Promise.all(contents.map((content) => replaceFile(file, content)));

  expect(contents).toContain(await readFile(file, 'utf8'));
  expect(await readdir(temp.path)).toEqual(['file']);
});

test('what a crash left under the name of the only writer goes with the next write', async () => {
  await writeFile(`${file}.tmp`, 'half a secr');

  await replaceFile(file, 'secret', { hasOneWriter: true });

  expect(await readFile(file, 'utf8')).toBe('secret');
  expect(await readdir(temp.path)).toEqual(['file']);
});

test.each([true, false])('one that fails leaves the old and nothing beside it', async (isOne) => {
  await mkdir(join(file, 'in the way'), { recursive: true });

  const replacing = replaceFile(file, 'new', { hasOneWriter: isOne });

  await expect(replacing).rejects.toMatchObject({ syscall: 'rename' });
  expect(await readdir(temp.path)).toEqual(['file']);
});
