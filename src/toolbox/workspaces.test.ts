import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../test/support/temp-root.ts';
import { OPERATOR } from '../core/principal.ts';
import { createWorkspaces } from './workspaces.ts';

async function setUp(isPerPrincipal = true) {
  const temp = await openTempRoot();
  onTestFinished(() => temp.remove());
  const root = join(await realpath(temp.path), 'workspace');
  await mkdir(root);
  return { root, workspaces: createWorkspaces({ root, isPerPrincipal: () => isPerPrincipal }) };
}

test('gives a principal a folder in the workspace, and the operator all of it', async () => {
  const { root, workspaces } = await setUp();

  expect(await workspaces.open(OPERATOR)).toBe(root);
  expect(await workspaces.open('user:42')).toBe(join(root, 'principals', 'user-42'));
  expect(await workspaces.open('user:42')).toBe(
    await realpath(join(root, 'principals', 'user-42')),
  );
});

test('gives everybody the workspace when it is shared', async () => {
  const { root, workspaces } = await setUp(false);

  expect(await workspaces.open('user:42')).toBe(root);
});

test.each(['principals', 'principals/user-42'])('refuses %s when it is a link', async (path) => {
  const { root, workspaces } = await setUp();
  if (path !== 'principals') await mkdir(join(root, 'principals'));
  await mkdir(join(root, 'elsewhere'));
  await symlink(join(root, 'elsewhere'), join(root, path));

  await expect(workspaces.open('user:42')).rejects.toMatchObject({ code: 'policy_denied' });
});
