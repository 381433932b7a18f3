import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../../test/support/temp-root.ts';
import { openInputHistory } from './input-history.ts';

let root: TempRoot;

beforeEach(async () => {
  root = await openTempRoot();
});

afterEach(() => root.remove());

const fileOf = ({ path }: TempRoot) => join(path, '.claw', 'chat-history');

test('what was typed is there at the next start, for its owner alone', async () => {
  const first = await openInputHistory(root.path);
  for (const entry of ['one', 'two\nlines', 'two\nlines', '  ']) first.add(entry);
  await first.flush();

  const second = await openInputHistory(root.path);

  expect(second.entries).toEqual(['one', 'two\nlines']);
  expect((await stat(fileOf(root))).mode & 0o777).toBe(0o600);
});

test('it keeps the newest and leaves out what it can not read', async () => {
  await mkdir(join(root.path, '.claw'));
  const lines = Array.from({ length: 510 }, (_, at) => JSON.stringify(`entry ${at}`));
  await writeFile(fileOf(root), `${lines.join('\n')}\n{"torn`);

  const history = await openInputHistory(root.path);
  await history.flush();

  expect(history.entries).toHaveLength(500);
  expect(history.entries[0]).toBe('entry 10');
  const kept = (await readFile(fileOf(root), 'utf8')).trimEnd().split('\n');
  expect(kept).toEqual(lines.slice(10));
});

test('a folder that can not be written is no reason to stop', async () => {
  await writeFile(join(root.path, '.claw'), 'a file');
  const history = await openInputHistory(root.path);

  history.add('one');
  await history.flush();

  expect(history.entries).toEqual(['one']);
});
