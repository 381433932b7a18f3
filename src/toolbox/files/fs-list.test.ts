import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Tool } from '../../core/tools/tool.ts';
import {
  callTool,
  failureOf,
  inputErrors,
  openTestWorkspace,
  type TestWorkspace,
} from '../test-workspace.ts';
import { createFsList } from './fs-list.ts';

let workspace: TestWorkspace;
let tool: Tool;

beforeEach(async () => {
  workspace = await openTestWorkspace();
  tool = createFsList(workspace.guard);
});

afterEach(() => workspace.remove());

test('lists names in order, directories with a slash, without what the runtime keeps', async () => {
  await workspace.put('b.txt');
  await workspace.put('a/inner.txt');
  await workspace.put('a.txt');
  await workspace.put('.claw/sessions.txt');
  await workspace.put('.pincer-0123456789abcdef.tmp');
  await workspace.link('link', 'a');

  const output = await callTool(tool, { path: '.' });

  expect(output).toEqual({
    path: '.',
    entries: ['a.txt', 'a/', 'b.txt', 'link', 'vault/'],
    truncated: false,
  });
  expect(tool.summarize({ path: '.' }, output)).toBe('listed 5 entries in .');
});

test('lists the workspace when no path is given', async () => {
  expect(await callTool(tool, {})).toEqual({ path: '.', entries: ['vault/'], truncated: false });
});

test('lists a directory behind a link that stays inside', async () => {
  await workspace.put('deep/er/x.txt');
  await workspace.link('short', 'deep/er');

  expect(await callTool(tool, { name: 'short/' })).toEqual({
    path: 'short/',
    entries: ['x.txt'],
    truncated: false,
  });
});

test('returns the first 2000 names of a larger directory', async () => {
  const names = Array.from({ length: 2_001 }, (_, index) => `f${String(index).padStart(4, '0')}`);
  await Promise.all(names.map((name) => workspace.put(`many/${name}`)));

  const output = await callTool(tool, { path: 'many' });

  expect(output).toEqual({ path: 'many', entries: names.slice(0, 2_000), truncated: true });
});

test('points to fs.read for a file', async () => {
  await workspace.put('a.txt');

  expect(await failureOf(callTool(tool, { path: 'a.txt' }))).toEqual({
    code: 'tool_failed',
    message: 'a.txt is not a directory; use fs.read',
    details: { path: 'a.txt', reason: 'not_a_directory' },
  });
});

test('reports a missing directory', async () => {
  expect(await failureOf(callTool(tool, { path: 'gone' }))).toEqual({
    code: 'not_found',
    message: 'gone does not exist',
    details: { path: 'gone' },
  });
});

test('stops when the call was cancelled', async () => {
  const reason = new Error('cancelled by test');

  await expect(callTool(tool, {}, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('refuses a path that is not text', () => {
  expect(inputErrors(tool, { path: ['.'] })).toEqual(['path must be a string']);
});
