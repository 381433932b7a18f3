import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Tool } from '../../core/tools/tool.ts';
import {
  callTool,
  failureOf,
  inputErrors,
  openTestWorkspace,
  type TestWorkspace,
} from '../test-workspace.ts';
import { createFsGlob } from './fs-glob.ts';

let workspace: TestWorkspace;
let tool: Tool;

beforeEach(async () => {
  workspace = await openTestWorkspace();
  tool = createFsGlob(workspace.guard);
  for (const path of ['b.ts', 'a/x.ts', 'a/x/y.ts', 'a.ts', '.github/ci.yml']) {
    await workspace.put(path);
  }
});

afterEach(() => workspace.remove());

test('finds files at every depth, sorted', async () => {
  const output = await callTool(tool, { pattern: '**/*.ts' });

  expect(output).toEqual({ matches: ['a.ts', 'a/x.ts', 'a/x/y.ts', 'b.ts'], truncated: false });
  expect(tool.summarize({ pattern: '**/*.ts' }, output)).toBe('found 4 file(s) for **/*.ts');
});

test('starts from a directory and gives paths from the workspace', async () => {
  await workspace.link('alias', 'a');

  const outputs = [
    await callTool(tool, { pattern: '*.ts', path: 'a' }),
    await callTool(tool, { pattern: '*.ts', path: 'alias/' }),
    await callTool(tool, { pattern: '.*/*.{yml,yaml}', path: '.' }),
  ];

  expect(outputs).toEqual([
    { matches: ['a/x.ts'], truncated: false },
    { matches: ['a/x.ts'], truncated: false },
    { matches: ['.github/ci.yml'], truncated: false },
  ]);
});

test('says whether there is more than it was asked for', async () => {
  const outputs = [
    await callTool(tool, { pattern: '**/*.ts', max_results: 3 }),
    await callTool(tool, { pattern: '**/*.ts', max_results: 4 }),
  ];

  expect(outputs.map(({ matches, truncated }) => [matches, truncated])).toEqual([
    [['a.ts', 'a/x.ts', 'a/x/y.ts'], true],
    [['a.ts', 'a/x.ts', 'a/x/y.ts', 'b.ts'], false],
  ]);
});

test('shows nothing outside, nothing reserved, no links and no dependencies', async () => {
  await workspace.link('out', workspace.outside);
  await workspace.link('link.txt', 'a.ts');
  await workspace.put('node_modules/pkg/index.js');
  await workspace.put('.git/HEAD');
  await workspace.put('.pincer-0011223344556677.tmp');

  const output = await callTool(tool, { pattern: '**' });

  expect(output).toEqual({
    matches: ['.github/ci.yml', 'a.ts', 'a/x.ts', 'a/x/y.ts', 'b.ts'],
    truncated: false,
  });
});

test.each([
  ['../outside', 'traversal'],
  ['out', 'symlink_outside'],
  ['vault', 'reserved_path'],
  ['.openclawssy', 'reserved_path'],
])('does not start from %s', async (path, reason) => {
  await workspace.link('out', workspace.outside);

  const failure = await failureOf(callTool(tool, { pattern: '**', path }));

  expect([failure.code, failure.details]).toEqual(['policy_denied', { path, reason }]);
});

test('refuses a file to start from', async () => {
  const failure = await failureOf(callTool(tool, { pattern: '*', path: 'a.ts' }));

  expect(failure.message).toBe('a.ts is not a directory');
});

test('lets the process go on while it matches many names', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `many/${'a'.repeat(200)}${index}`);
  await Promise.all(names.map((name) => workspace.put(name)));
  let longestMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    lastMs = performance.now();
  }, 1);

  const output = await callTool(tool, { pattern: `many/${'*a'.repeat(240)}!` }).finally(() =>
    clearInterval(timer),
  );

  expect(output).toEqual({ matches: [], truncated: false });
  expect(longestMs).toBeLessThan(1_000);
});

test('mends aliases and quotes', () => {
  expect(tool.repair({ query: '"*.ts"', file: '`src`' })).toEqual({ pattern: '*.ts', path: 'src' });
  expect(inputErrors(tool, { max_results: 0 })).toEqual([
    'pattern is required',
    'max_results must be a whole number from 1 to 2000',
  ]);
  expect(inputErrors(tool, { pattern: 'x'.repeat(501) })).toEqual([
    'pattern must have at most 500 characters',
  ]);
});
