import { expect, test } from 'vitest';
import { toCallFault } from './call-fault.ts';

const fault = (fields: object, message = 'said so') => Object.assign(new Error(message), fields);

test.each([
  ['an answer that never came in time', { code: 'REQUEST_TIMEOUT' }, 'timeout', false, false],
  ['refused input', { code: -32602 }, 'tool_input_invalid', false, false],
  ['an error of the protocol', { code: -32603 }, 'tool_failed', false, false],
  ['too many requests', { code: 'X', data: { status: 429 } }, 'rate_limited', true, false],
  ['a lost session', { code: 'X', data: { status: 404 } }, 'tool_failed', true, true],
  ['refused credentials', { code: 'X', data: { status: 403 } }, 'tool_failed', false, false],
  ['a fault of the server', { code: 'X', data: { status: 500 } }, 'outcome_unknown', false, false],
  ['nobody listening', { cause: { code: 'ECONNREFUSED' } }, 'tool_failed', true, true],
  ['a cut connection', { cause: { code: 'UND_ERR_SOCKET' } }, 'outcome_unknown', false, true],
  ['a closed connection', { code: 'CONNECTION_CLOSED' }, 'outcome_unknown', false, true],
  ['a result that is none', { code: 'INVALID_RESULT' }, 'outcome_unknown', false, false],
])('makes of %s what may be done about it', (_name, fields, code, retryable, isLost) => {
  const call = { server: 's', tool: 't', idempotent: false };

  const result = toCallFault(fault(fields), call);

  expect([result.error.code, result.error.retryable, result.isLost]).toEqual([
    code,
    retryable,
    isLost,
  ]);
});

test.each([
  [{ code: 'CONNECTION_CLOSED' }, 'tool_failed'],
  [{ code: 'REQUEST_TIMEOUT' }, 'timeout'],
])('lets a tool that may be repeated be tried again after %j', (fields, code) => {
  const call = { server: 's', tool: 't', idempotent: true };

  const { error } = toCallFault(fault(fields), call);

  expect([error.code, error.retryable]).toEqual([code, true]);
});
