import { expect, test } from 'vitest';
import { encodeDocument, type Outcome } from './envelope.ts';

const DONE: Outcome = {
  command: 'list-sessions',
  completedAtMs: Date.parse('2026-04-22T10:10:00.987Z'),
  exitCode: 0,
  fields: { sessions: [] },
  failure: undefined,
};
const ERROR = {
  kind: 'session_not_found',
  operation: 'find_session',
  target: 'absent',
  retryable: false,
  message: 'session absent does not exist',
};
const FAILED: Outcome = {
  ...DONE,
  exitCode: 1,
  fields: {},
  failure: { exitCode: 1, error: ERROR, fields: { name: 'absent', found: false } },
};
const COMMON = {
  timestamp: '2026-04-22T10:10:00Z',
  command: 'list-sessions',
  output_format: 'json',
  schema_version: '2.0',
};

test('2.0 has five members of its own and the result beside them', () => {
  expect(encodeDocument(DONE, '2.0')).toEqual({ ...COMMON, exit_code: 0, sessions: [] });
  expect(encodeDocument(FAILED, '2.0')).toEqual({
    ...COMMON,
    exit_code: 1,
    name: 'absent',
    found: false,
    error: ERROR,
  });
});

test('1.0 has the kind of command of a success, and four members of an error', () => {
  expect(encodeDocument(DONE, '1.0')).toEqual({
    kind: 'list-sessions',
    type: 'success',
    sessions: [],
  });
  expect(encodeDocument(FAILED, '1.0')).toEqual({
    type: 'error',
    error: 'session absent does not exist',
    kind: 'session_not_found',
    hint: null,
  });
});

test.each([
  ['parse', 'cli_parse'],
  ['auth', 'missing_credentials'],
  ['filesystem', 'filesystem_io_error'],
  ['session', 'no_managed_sessions'],
  ['session_load_failed', 'session_load_failed'],
  ['run_not_found', 'run_not_found'],
  ['policy', 'policy'],
  ['unknown', 'unknown'],
])('an error of the kind %s is %s in 1.0', (kind, legacy) => {
  const failure = { exitCode: 1, error: { ...ERROR, kind, hint: 'look' } } as const;

  expect(encodeDocument({ ...FAILED, failure }, '1.0')).toMatchObject({
    kind: legacy,
    hint: 'look',
  });
});

test('out of time is no error in 2.0, and the kind timeout in 1.0', () => {
  const late: Outcome = {
    ...DONE,
    exitCode: 2,
    failure: { exitCode: 2, message: 'out of time' },
  };

  expect(encodeDocument(late, '2.0')).toEqual({ ...COMMON, exit_code: 2, sessions: [] });
  expect(encodeDocument(late, '1.0')).toEqual({
    type: 'error',
    error: 'out of time',
    kind: 'timeout',
    hint: null,
  });
});

test("a result's own members never pass for the envelope's", () => {
  const fields = { command: 'rm', exit_code: 7, kind: 'job', type: 'cron', schema_version: '9' };

  expect(encodeDocument({ ...DONE, fields }, '2.0')).toEqual({
    ...COMMON,
    exit_code: 0,
    kind: 'job',
    type: 'cron',
  });
  expect(encodeDocument({ ...DONE, fields }, '1.0')).toMatchObject({
    kind: 'list-sessions',
    type: 'success',
  });
});
