import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf, openTestWorkspace, type TestWorkspace } from '../test-workspace.ts';
import { findBoundary } from './paths/path-walk.ts';
import { visitTree } from './visit-tree.ts';

let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await openTestWorkspace();
});

afterEach(() => workspace.remove());

async function visit(maxEntries: number): Promise<readonly string[]> {
  const { directory, realPath } = await workspace.guard.openDirectory('top');
  const boundary = await findBoundary(workspace.root, []);
  const { signal } = new AbortController();
  const names: string[] = [];
  try {
    const tree = { directory, realPath, path: 'top', boundary, signal, maxEntries };
    for await (const { name } of visitTree(tree)) names.push(name);
  } finally {
    await directory.close();
  }
  return names;
}

test('gives children before their directory', async () => {
  await workspace.put('top/dir/sub/a.txt');

  expect(await visit(100)).toEqual(['a.txt', 'sub', 'dir']);
});

test('counts over all levels and refuses one entry too many', async () => {
  for (const name of ['a', 'b/1', 'b/2', 'b/3']) await workspace.put(`top/${name}`);

  const names = await visit(5);
  const failure = await failureOf(visit(4));

  expect([...names].sort()).toEqual(['1', '2', '3', 'a', 'b']);
  expect(failure).toEqual({
    code: 'tool_failed',
    message: 'top has more than 4 entries; take its parts one by one',
    details: { path: 'top', reason: 'too_many_entries' },
  });
});

test('everybody else gets turns while a tree of many small directories is walked', async () => {
  const DIRECTORIES = 1_000;
  for (let index = 0; index < DIRECTORIES; index += 1) {
    mkdirSync(join(workspace.root, 'top', `${index % 30}`, `${index}`), { recursive: true });
  }
  let turns = 0;
  let isOver = false;
  const countTurn = () => {
    turns += 1;
    if (!isOver) setImmediate(countTurn);
  };
  setImmediate(countTurn);

  const names = await visit(2 * DIRECTORIES);
  isOver = true;

  expect(names.length).toBeGreaterThan(DIRECTORIES);
  expect(turns).toBeGreaterThan(DIRECTORIES / 100);
});
