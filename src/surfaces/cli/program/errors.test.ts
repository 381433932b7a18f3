import { expect, test } from 'vitest';
import { type ErrorCode, RuntimeError } from '../../../core/errors.ts';
import { isErrorKind } from './error-kinds.ts';
import { CLI_ERRORS, naming, parseError, toFailure } from './errors.ts';

const PLACE = { operation: 'serve', target: '/root' };

test('every code has a kind of the contract', () => {
  const kinds = Object.values(CLI_ERRORS).map(([kind]) => kind.replace('<entity>', 'run'));

  expect(kinds.filter((kind) => !isErrorKind(kind))).toEqual([]);
});

test('an error may know its kind better than its code does, if it is one', () => {
  const kinds = ['session_load_failed', 'session_delete_failed', 'mcp', 'nonsense', 7].map(
    (kind) =>
      toFailure(new RuntimeError('conflict', 'no', { details: { kind } }), PLACE).error?.kind,
  );

  expect(kinds).toEqual([
    'session_load_failed',
    'session_delete_failed',
    'mcp',
    'runtime',
    'runtime',
  ]);
});

test('only a timeout is exit code 2', () => {
  const codes = (Object.keys(CLI_ERRORS) as ErrorCode[]).filter(
    (code) => CLI_ERRORS[code][1] === 2,
  );

  expect(codes).toEqual(['timeout']);
});

test('an error says where it happened unless it knows better', () => {
  const plain = toFailure(new RuntimeError('conflict', 'taken'), PLACE);
  const details = { file: '/etc/config.json', field: 'server.port', fix: 'correct it' };
  const message =
    'config file /etc/config.json: server.port is wrong; to fix: correct it (1 more: x)';
  const knowing = toFailure(new RuntimeError('config_invalid', message, { details }), PLACE);

  expect(plain).toEqual({
    exitCode: 1,
    error: {
      kind: 'runtime',
      operation: 'serve',
      target: '/root',
      retryable: false,
      message: 'taken',
    },
  });
  expect(knowing).toEqual({
    exitCode: 1,
    error: {
      kind: 'usage',
      operation: 'serve',
      target: '/etc/config.json',
      retryable: false,
      message: 'config file /etc/config.json: server.port is wrong (1 more: x)',
      hint: 'correct it',
    },
  });
});

test('what was not found is named, and only when it is what was looked for', async () => {
  const missing = new RuntimeError('not_found', 'run run_1 does not exist', {
    details: { thing: 'run' },
  });
  const looked = naming({ thing: 'run', name: 'run_1', hint: 'look' }, Promise.reject(missing));
  const other = naming({ thing: 'agent', name: 'nobody', hint: 'look' }, Promise.reject(missing));

  expect(toFailure(await looked.catch((error) => error), PLACE)).toEqual({
    exitCode: 1,
    fields: { name: 'run_1', found: false },
    error: {
      kind: 'run_not_found',
      operation: 'find_run',
      target: 'run_1',
      retryable: false,
      message: 'run run_1 does not exist',
      hint: 'look',
    },
  });
  await expect(other).rejects.toBe(missing);
});

test('a mistake on the command line is of the kind parse', () => {
  expect(toFailure(parseError('unknown option --x', { target: 'ask' }), PLACE)).toEqual({
    exitCode: 1,
    error: {
      kind: 'parse',
      operation: 'parse_arguments',
      target: 'ask',
      retryable: false,
      message: 'unknown option --x',
    },
  });
});
