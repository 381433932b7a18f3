import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Tool } from '../../core/tools/tool.ts';
import {
  callTool,
  failureOf,
  inputErrors,
  openTestWorkspace,
  type TestWorkspace,
} from '../test-workspace.ts';
import { createCodeSearch } from './code-search.ts';

let workspace: TestWorkspace;
let tool: Tool;

beforeEach(async () => {
  workspace = await openTestWorkspace();
  tool = createCodeSearch(workspace.guard);
});

afterEach(() => workspace.remove());

test('finds matching lines in order of path and line', async () => {
  await workspace.put('src/b.ts', 'const needle = 1;\r\nother\nneedle();');
  await workspace.put('a.md', '\nthe Needle\nthe needle\n');

  const output = await callTool(tool, { pattern: 'n.edle' });

  expect(output).toEqual({
    matches: [
      { path: 'a.md', line: 3, text: 'the needle' },
      { path: 'src/b.ts', line: 1, text: 'const needle = 1;' },
      { path: 'src/b.ts', line: 3, text: 'needle();' },
    ],
    files_searched: 2,
    truncated: false,
  });
  expect(tool.summarize({}, output)).toBe(JSON.stringify(output).slice(0, 180));
});

test('passes over what is not the user’s text', async () => {
  for (const path of [
    '.git/config',
    'lib/node_modules/x.js',
    '.claw/s.txt',
    '.openclawssy/x.txt',
    '.pincer-0123456789abcdef.tmp',
    'vault/x.txt',
  ]) {
    await workspace.put(path, 'needle');
  }
  await workspace.put('image.bin', Buffer.from('needle\0needle'));
  await workspace.put('latin1.txt', Buffer.from('needle \xe4', 'latin1'));
  await workspace.put('shown.txt', 'needle');
  await workspace.link('link.txt', 'shown.txt');
  await workspace.link('out', workspace.outside);

  const { matches } = await callTool(tool, { query: 'needle|outside' });

  expect(matches).toEqual([{ path: 'shown.txt', line: 1, text: 'needle' }]);
});

test('searches one directory or one file, also a skipped one when it is named', async () => {
  await workspace.put('node_modules/pkg/index.js', 'needle');
  await workspace.put('other.js', 'needle');

  const directory = await callTool(tool, { pattern: 'needle', path: 'node_modules' });
  const file = await callTool(tool, { pattern: 'needle', path: './other.js' });

  expect(directory.matches).toEqual([
    { path: 'node_modules/pkg/index.js', line: 1, text: 'needle' },
  ]);
  expect(file).toEqual({
    matches: [{ path: 'other.js', line: 1, text: 'needle' }],
    files_searched: 1,
    truncated: false,
  });
});

test('stops at max_matches and says that there is more', async () => {
  await workspace.put('a.txt', 'x\nx\n');
  await workspace.put('b.txt', 'x\n');

  const all = await callTool(tool, { pattern: 'x', max_matches: 3 });
  const some = await callTool(tool, { pattern: 'x', max_matches: 2 });

  expect([all.truncated, (all.matches as unknown[]).length]).toEqual([false, 3]);
  expect(some).toEqual({
    matches: [
      { path: 'a.txt', line: 1, text: 'x' },
      { path: 'a.txt', line: 2, text: 'x' },
    ],
    files_searched: 2,
    truncated: true,
  });
});

test('stops at max_files and says that there is more', async () => {
  await workspace.put('a.txt', 'x');
  await workspace.put('b.txt', 'x');

  expect(await callTool(tool, { pattern: 'x', max_files: 1 })).toEqual({
    matches: [{ path: 'a.txt', line: 1, text: 'x' }],
    files_searched: 1,
    truncated: true,
  });
});

test('passes over files above max_file_bytes', async () => {
  await workspace.put('exact.txt', 'x'.repeat(10));
  await workspace.put('over.txt', 'x'.repeat(11));

  const { matches } = await callTool(tool, { pattern: '^x', max_file_bytes: 10 });

  expect(matches).toEqual([{ path: 'exact.txt', line: 1, text: 'xxxxxxxxxx' }]);
});

test('shows the surroundings of a match in a very long line', async () => {
  await workspace.put('min.js', `${'a'.repeat(5_000)}needle${'b'.repeat(5_000)}`);

  const { matches } = await callTool(tool, { pattern: 'needle' });

  const text = `${'a'.repeat(100)}needle${'b'.repeat(294)}`;
  expect(matches).toEqual([{ path: 'min.js', line: 1, text }]);
});

test.each([
  ['(?i)NEEDLE', ['needle é']],
  ['^.{8}$', ['needle é', '12345678']],
  ['\\p{Ll}\\s\\p{Ll}', ['needle é']],
  ['[\\w-.]{8}', ['12345678']],
  ['^$', ['']],
])('understands the pattern %s', async (pattern, texts) => {
  await workspace.put('a.txt', 'needle é\n12345678\n\n');

  const { matches } = await callTool(tool, { pattern });

  expect((matches as { text: string }[]).map(({ text }) => text)).toEqual(texts);
});

test('ends a pattern that backtracks without end, and the process stays responsive', async () => {
  await workspace.put('a.txt', `${'a'.repeat(60)}b`);
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 20);

  const failure = await failureOf(callTool(tool, { pattern: '^(a+)+$' }));
  clearInterval(ticking);

  expect(failure).toEqual({
    code: 'tool_input_invalid',
    message: 'pattern took longer than 2000 ms on a.txt; avoid nested repetition such as (a+)+',
    details: { field: 'pattern' },
  });
  expect(ticks).toBeGreaterThan(10);
});

test('ends a search within a pattern when the call is cancelled', async () => {
  await workspace.put('a.txt', `${'a'.repeat(60)}b`);
  const controller = new AbortController();
  const reason = new Error('cancelled by test');

  const call = callTool(tool, { pattern: '^(a+)+$' }, controller.signal);
  setTimeout(() => controller.abort(reason), 100);

  await expect(call).rejects.toBe(reason);
});

test('explains an invalid pattern', async () => {
  expect(await failureOf(callTool(tool, { pattern: '(' }))).toEqual({
    code: 'tool_input_invalid',
    message:
      'pattern is not a valid regular expression: Invalid regular expression: /(/: Unterminated group',
    details: { field: 'pattern' },
  });
});

test.each([
  ['gone', 'not_found', { path: 'gone' }],
  ['../outside', 'policy_denied', { path: '../outside', reason: 'traversal' }],
  ['vault', 'policy_denied', { path: 'vault', reason: 'reserved_path' }],
])('does not search %s', async (path, code, details) => {
  const failure = await failureOf(callTool(tool, { pattern: 'x', path }));

  expect([failure.code, failure.details]).toEqual([code, details]);
});

test.each([
  [{}, ['pattern is required']],
  [{ pattern: '' }, ['pattern must not be empty']],
  [{ pattern: 'x'.repeat(1_001) }, ['pattern must have at most 1000 characters']],
  [{ pattern: 'x', max_files: 0 }, ['max_files must be a whole number from 1 to 20000']],
  [{ pattern: 'x', max_matches: 9_999 }, ['max_matches must be a whole number from 1 to 2000']],
  [
    { pattern: 'x', max_file_bytes: '1' },
    ['max_file_bytes must be a whole number from 1 to 4194304'],
  ],
])('refuses bad input (case %#)', (input, messages) => {
  expect(inputErrors(tool, input)).toEqual(messages);
});
