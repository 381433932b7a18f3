import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openTempRoot } from '../../../../../test/support/temp-root.ts';
import { checkNode, checkStore, checkWorkspace } from './doctor-checks.ts';

test('the floor of Node is checked to the minor version', () => {
  expect(checkNode('18.20.0').status).toBe('fail');
  expect(checkNode('20.10.9')).toEqual({
    status: 'fail',
    summary: 'Node 20.10.9 is too old',
    fix: 'install Node 20.11 or newer, 24 is recommended',
  });
  expect(checkNode('20.11.0')).toEqual({
    status: 'ok',
    summary: 'Node 20.11.0 (24 is recommended)',
  });
  expect(checkNode('24.1.0')).toEqual({ status: 'ok', summary: 'Node 24.1.0' });
});

test('a database is fine until it is old, or its log can not be tidied up', () => {
  const summary = 'SQLite at pincer.db, version 3, intact';
  const limitBytes = 64 * 1024 ** 2;

  expect(checkStore({ state: 'ready', summary, logBytes: limitBytes })).toEqual({
    status: 'ok',
    summary,
  });
  expect(checkStore({ state: 'ready', summary, logBytes: 3 * limitBytes })).toEqual({
    status: 'warn',
    summary: `${summary}; its log has grown to 192 MiB`,
    fix: expect.stringContaining('restart the server'),
  });
  expect(checkStore({ state: 'old', summary })).toEqual({
    status: 'warn',
    summary,
    fix: 'claw serve migrates it; make a backup first',
  });
});

test('what shows that a folder can be written is gone again', async () => {
  const temp = await openTempRoot();

  const verdict = await checkWorkspace(temp.path);
  const left = await readdir(temp.path);
  await temp.remove();

  expect([verdict.status, left]).toEqual(['ok', []]);
});
