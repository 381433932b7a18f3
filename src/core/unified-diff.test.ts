import { expect, test } from 'vitest';
import { toUnifiedDiff } from './unified-diff.ts';

const lines = (...names: (string | number)[]) => names.map((name) => `${name}\n`).join('');

test('shows what changes with three lines around it', () => {
  const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9);
  const after = lines(1, 2, 3, 4, 'five', 6, 7, 8, 9);

  expect(toUnifiedDiff({ path: 'a.txt', before, after })).toEqual([
    ...['--- a/a.txt', '+++ b/a.txt', '@@ -2,7 +2,7 @@'],
    ...[' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
  ]);
});

test('changes that are far apart are apart', () => {
  const before = lines(...Array.from({ length: 20 }, (_, at) => at + 1));
  const after = before.replace('1\n', 'one\n').replace('20\n', '');

  expect(toUnifiedDiff({ path: 'a', before, after })).toEqual([
    ...['--- a/a', '+++ b/a', '@@ -1,4 +1,4 @@', '-1', '+one', ' 2', ' 3', ' 4'],
    ...['@@ -17,4 +17,3 @@', ' 17', ' 18', ' 19', '-20'],
  ]);
});

test('a file that comes or goes is all new or all gone', () => {
  expect(toUnifiedDiff({ path: 'a', before: undefined, after: 'x\n' })).toEqual([
    ...['--- /dev/null', '+++ b/a', '@@ -0,0 +1,1 @@', '+x'],
  ]);
  expect(toUnifiedDiff({ path: 'a', before: 'x', after: undefined })).toEqual([
    ...['--- a/a', '+++ /dev/null', '@@ -1,1 +0,0 @@', '-x\n\\ No newline at end of file'],
  ]);
  expect(toUnifiedDiff({ path: 'a', before: 'x', after: 'x' })).toEqual([]);
});

test('a text too large to compare is replaced whole', () => {
  const before = lines(...Array.from({ length: 3_000 }, (_, at) => `a${at}`));
  const after = lines(...Array.from({ length: 3_000 }, (_, at) => `b${at}`));

  const diff = toUnifiedDiff({ path: 'a', before, after });

  expect(diff).toHaveLength(6_003);
  expect(diff[2]).toBe('@@ -1,3000 +1,3000 @@');
});
