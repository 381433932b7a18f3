import { expect, test } from 'vitest';
import { isErrorKind } from './error-kinds.ts';

/** Contract 3's enumeration and its not-found kinds; nothing of it may get lost. */
const CONTRACT_KINDS = [
  'filesystem',
  'auth',
  'session',
  'parse',
  'runtime',
  'mcp',
  'delivery',
  'usage',
  'policy',
  'unknown',
  'command_not_found',
  'tool_not_found',
  'session_not_found',
];

test('the kinds of the contract are kinds, other words are not', () => {
  expect(CONTRACT_KINDS.filter((kind) => !isErrorKind(kind))).toEqual([]);
  expect(['', '_not_found', 'cron', 'toString', 1, undefined].filter(isErrorKind)).toEqual([]);
});
