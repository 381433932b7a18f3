import { describe, expect, test } from 'vitest';
import { ERROR_CATALOGUE, type ErrorCode, RuntimeError } from '../../../src/core/errors.ts';
import { decodeWireError } from '../../../src/operations/wire-error.ts';
import { encodeApiError } from '../../../src/surfaces/api/errors.ts';
import type { Call } from '../v1/http-client.ts';
import { openApiServer } from './open-api-server.ts';

const INVALID = {
  taxonomy: 'validation',
  recovery_action: 'Correct what the message names and send the request again.',
};

const UNAUTHORIZED = {
  taxonomy: 'auth',
  recovery_action:
    'Send Authorization: Bearer with the token of the server: API_BEARER_TOKEN, or its .openclawssy/token.',
};

const NOTHING = {
  taxonomy: 'resource',
  recovery_action: 'Check the path; GET /openapi.json names every route, and /docs shows them.',
  thing: 'route',
};

interface Refused {
  readonly name: string;
  readonly path: string;
  readonly call: Call;
  readonly status: number;
  readonly error: object;
}

const REFUSED: readonly Refused[] = [
  {
    name: 'no token',
    path: '/api/nothing',
    call: { anonymous: true },
    status: 401,
    error: { code: 'unauthorized', message: 'missing bearer token', details: UNAUTHORIZED },
  },
  {
    name: 'a wrong token',
    path: '/api/nothing',
    call: { headers: { authorization: 'Bearer wrong' } },
    status: 401,
    error: { code: 'unauthorized', message: 'invalid bearer token', details: UNAUTHORIZED },
  },
  {
    name: 'an unknown route',
    path: '/api/nothing',
    call: {},
    status: 404,
    error: {
      code: 'not_found',
      message: 'route GET /api/nothing does not exist',
      details: NOTHING,
    },
  },
  {
    name: 'the prefix alone',
    path: '/api',
    call: {},
    status: 404,
    error: { code: 'not_found', message: 'route GET /api does not exist', details: NOTHING },
  },
  {
    name: 'a path that can not be decoded',
    path: '/api/%zz',
    call: {},
    status: 400,
    error: {
      code: 'validation_error',
      message: 'request path is not a valid URL',
      details: INVALID,
    },
  },
  {
    name: 'a host that is not ours',
    path: '/api/nothing',
    call: { headers: { host: 'evil.example' } },
    status: 403,
    error: {
      code: 'forbidden',
      message: 'host evil.example is not allowed',
      details: {
        taxonomy: 'auth',
        recovery_action:
          'Add the host or origin to server.allowed_hosts or server.allowed_origins.',
      },
    },
  },
];

test.each(REFUSED)('refuses $name in its own envelope', async ({ path, call, status, error }) => {
  const server = await openApiServer();

  const answer = await server.call(path, call);

  expect([answer.status, answer.body]).toEqual([status, { error }]);
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
});

test('leaves the envelopes of its neighbours alone', async () => {
  const server = await openApiServer();

  const admin = await server.call('/api/admin/nothing');
  const root = await server.call('/apix');

  expect([admin.body, root.body]).toEqual([
    { error: { code: 'route.not_found', message: 'route GET /api/admin/nothing does not exist' } },
    { error: { code: 'route.not_found', message: 'route GET /apix does not exist' } },
  ]);
});

test('counts requests by token, and says when to come back', async () => {
  const server = await openApiServer({ env: { API_RATE_LIMIT_MAX: '2' } });

  await server.call('/api/nothing');
  await server.call('/v1/runs');
  const answer = await server.call('/api/nothing');

  const seconds = Number(answer.headers['retry-after']);
  expect([answer.status, answer.body]).toEqual([
    429,
    {
      error: {
        code: 'rate_limited',
        message: 'rate limit of 2 requests reached',
        details: {
          taxonomy: 'throttle',
          recovery_action: 'Wait for details.retry_after_seconds and send the same request again.',
          retry_after_seconds: seconds,
        },
      },
    },
  ]);
  expect(seconds).toBeGreaterThan(0);
});

describe('whatever the error', () => {
  const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

  test.each(codes)('%s has its taxonomy and a sentence on what to do', (code) => {
    const { status, body } = encodeApiError(new RuntimeError(code, 'it failed'));

    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).toEqual({
      error: {
        code: expect.stringMatching(/^[a-z_]+$/),
        message: code === 'internal' ? 'internal error' : 'it failed',
        details: {
          taxonomy: ERROR_CATALOGUE[code].taxonomy,
          recovery_action: expect.stringMatching(/^[A-Z].{10,}\.$/),
        },
      },
    });
  });

  test.each(codes)('%s is understood by our own client', (code) => {
    const { status, body } = encodeApiError(new RuntimeError(code, 'it failed'));
    const { error } = body as { error: { code: string } };

    const decoded = encodeApiError(decodeWireError(status, body));

    expect(decoded.body).toMatchObject({ error: { code: error.code } });
  });

  test('a better sentence wins, and only what is meant for callers is shown', () => {
    const error = new RuntimeError('policy_denied', 'global memory needs approval', {
      details: { recovery_action: 'Ask for private memory.', rule: 'r1', path: 'memory_access' },
    });

    expect(encodeApiError(error)).toEqual({
      status: 403,
      body: {
        error: {
          code: 'policy_denied',
          message: 'global memory needs approval',
          details: {
            taxonomy: 'policy',
            recovery_action: 'Ask for private memory.',
            path: 'memory_access',
          },
        },
      },
    });
  });

  test('an internal fault keeps its words and details to itself', () => {
    const error = new RuntimeError('internal', 'row 7 is torn', {
      details: { recovery_action: 'Look at row 7.', path: '/srv/db' },
    });

    expect(encodeApiError(error)).toMatchObject({
      status: 500,
      body: {
        error: {
          message: 'internal error',
          details: {
            taxonomy: 'unknown',
            recovery_action: 'Look in the log of the server for the x-request-id of this answer.',
          },
        },
      },
    });
  });
});
