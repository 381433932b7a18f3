import { expect, test } from 'vitest';
import { ERROR_CATALOGUE, type ErrorCode, RuntimeError } from '../../../src/core/errors.ts';
import { encodeInternalError, INTERNAL_ERRORS } from '../../../src/surfaces/internal/errors.ts';
import type { SignedCall } from './signed-client.ts';
import { openInternalServer } from './test-internal-server.ts';

const UNSIGNED = { headers: { 'x-oa-runtime-signature': undefined } };

test.each<
  [name: string, path: string, call: SignedCall, status: number, code: string, message: string]
>([
  [
    'an unknown route',
    '/nothing',
    {},
    404,
    'not_found',
    'route GET /internal/v1/nothing does not exist',
  ],
  [
    'an unknown route with a broken body',
    '/nothing',
    { method: 'POST', body: '{' },
    404,
    'not_found',
    'route POST /internal/v1/nothing does not exist',
  ],
  [
    'an unknown route without a signature',
    '/nothing',
    UNSIGNED,
    401,
    'unauthorized',
    'missing runtime signature',
  ],
  [
    'a wrong method',
    '/health',
    { method: 'DELETE' },
    405,
    'invalid_request',
    'method DELETE is not allowed for /internal/v1/health',
  ],
  [
    'malformed JSON',
    '/runs',
    { method: 'POST', body: '{' },
    400,
    'invalid_request',
    'request body is not valid JSON',
  ],
  [
    'a body that is not JSON',
    '/runs',
    {
      method: 'POST',
      body: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    415,
    'invalid_request',
    'content-type must be application/json',
  ],
  [
    'a large body',
    '/runs',
    { method: 'POST', body: 'x'.repeat(1_100_000) },
    413,
    'invalid_request',
    'request body is too large',
  ],
  [
    'a large body without a signature',
    '/runs',
    { method: 'POST', body: 'x'.repeat(1_100_000), ...UNSIGNED },
    401,
    'unauthorized',
    'missing runtime signature',
  ],
  [
    'a path that can not be decoded',
    '/%zz',
    {},
    400,
    'invalid_request',
    'request path is not a valid URL',
  ],
  [
    'a foreign host',
    '/health',
    { headers: { host: 'evil.example' } },
    403,
    'forbidden',
    'host evil.example is not allowed',
  ],
])(
  'answers %s in the envelope of the contract',
  async (_name, path, call, status, code, message) => {
    const server = await openInternalServer();

    const answer = await server.call(path, { nobody: true, ...call });

    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error: { code, message } });
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  },
);

test('says which methods a path takes', async () => {
  const server = await openInternalServer();

  const answer = await server.call('/runs', { method: 'PUT' });

  expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
});

test('sends what is wrong with a request as a list', () => {
  const problems = [{ reason_code: 'x', path: 'a.b', message: 'no' }];
  const details = { problems, secret: 'hush' };

  const encoded = (['invalid_input', 'unprocessable', 'conflict'] as const).map((code) =>
    encodeInternalError(new RuntimeError(code, 'refused', { details })),
  );

  expect(encoded).toEqual([
    {
      status: 400,
      body: { error: { code: 'invalid_request', message: 'refused', details: problems } },
    },
    {
      status: 422,
      body: { error: { code: 'invalid_request', message: 'refused', details: problems } },
    },
    { status: 409, body: { error: { code: 'conflict', message: 'refused' } } },
  ]);
});

test('keeps the words of an internal fault to itself', () => {
  const error = new RuntimeError('internal', 'row 7 is torn', { details: { problems: ['x'] } });

  expect(encodeInternalError(error)).toEqual({
    status: 500,
    body: { error: { code: 'internal_error', message: 'internal error' } },
  });
});

test('has a word of the contract for every code', () => {
  const words = new Set(Object.values(INTERNAL_ERRORS).map(([, code]) => code));

  expect(Object.keys(INTERNAL_ERRORS).sort()).toEqual(
    (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).sort(),
  );
  expect([...words].sort()).toEqual([
    'conflict',
    'forbidden',
    'internal_error',
    'invalid_request',
    'not_found',
    'rate_limited',
    'stale_cursor',
    'unauthorized',
  ]);
});
