import { expect, test } from 'vitest';
import { findJsonFault } from './find-json-fault.ts';

test.each([
  ['', 1, 1, 'unexpected end of file'],
  ['{"a": 1', 1, 8, 'unexpected end of file'],
  ['{"a": }', 1, 7, 'unexpected "}"'],
  ['{"a": 1,\n}', 2, 1, 'comma before the end'],
  ['{\n  "a": [1, 2,]\n}', 2, 14, 'comma before the end'],
  ['{\n  // note\n  "a": 1\n}', 2, 3, 'JSON has no comments'],
  ["{'a': 1}", 1, 2, 'strings need double quotes'],
  ['{"a" 1}', 1, 6, 'unexpected "1"'],
  ['{"a": 1 "b": 2}', 1, 9, 'unexpected "\\""'],
  ['{"a": [1}', 1, 9, 'unexpected "}"'],
  ['{} {}', 1, 4, 'unexpected "{"'],
  ['{"a": "never closed}', 1, 7, 'unexpected "\\""'],
  ['{"a": 01}', 1, 8, 'unexpected "1"'],
  ['[1, nul]', 1, 5, 'unexpected "n"'],
])('finds the fault in %j', (...[text, line, column, problem]) => {
  expect(() => JSON.parse(text)).toThrow();

  expect(findJsonFault(text)).toEqual({ line, column, problem });
});

test('survives nesting that would exhaust the stack', () => {
  const text = '['.repeat(200_000);

  expect(findJsonFault(text)).toEqual({
    line: 1,
    column: 200_001,
    problem: 'unexpected end of file',
  });
});
