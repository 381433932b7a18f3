import { expect, test } from 'vitest';
import { AGENT_REFERENCE_PATTERN } from '../../../src/core/agents/resolve-agent.ts';
import type { OpenApiDocument } from '../../../src/surfaces/http/openapi/openapi-document.ts';
import { openTestServer } from './test-server.ts';

test('documents every route with its answers and how to authenticate', async () => {
  const server = await openTestServer();

  const answer = await server.call('/openapi.json');

  expect(answer.status).toBe(200);
  const document = answer.body as OpenApiDocument;
  expect(document.openapi).toBe('3.1.0');
  expect(document.info).toEqual({
    title: 'Pincer',
    version: '0.0.0-test',
    description: 'A test server.',
    license: { name: 'MIT', identifier: 'MIT' },
  });
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method} ${path}`,
      (operation.security ?? []).flatMap((scheme) => Object.keys(scheme)).join(' or '),
      Object.keys(operation.responses ?? {}).join(' '),
    ]),
  );
  expect(routes).toEqual([
    ['post /v1/runs', 'bearer or session', '202 400 401 403 404 409 413 415 429 500 503'],
    ['get /v1/runs', 'bearer or session', '200 400 401 403 429 500 503'],
    ['get /v1/runs/{run_id}', 'bearer or session', '200 400 401 403 404 429 500 503'],
    [
      'post /v1/runs/{run_id}/cancel',
      'bearer or session',
      '200 202 400 401 403 404 413 415 429 500 503',
    ],
    [
      'post /v1/runs/{run_id}/steer',
      'bearer or session',
      '200 202 400 401 403 404 409 413 415 429 500 503',
    ],
    [
      'post /v1/runs/{run_id}/replay',
      'bearer or session',
      '200 400 401 403 404 409 410 413 415 429 500 503',
    ],
    [
      'post /v1/runs/{run_id}/fork',
      'bearer or session',
      '202 400 401 403 404 409 410 413 415 429 500 503',
    ],
    ['get /v1/runs/{run_id}/diff', 'bearer or session', '200 400 401 403 404 410 413 429 500 503'],
    ['get /v1/runs/{run_id}/log', 'bearer or session', '200 400 401 403 404 410 429 500 503'],
    [
      'get /v1/runs/{run_id}/turns/{turn}/prompt',
      'bearer or session',
      '200 400 401 403 404 409 410 413 429 500 503',
    ],
    [
      'get /v1/runs/{run_id}/bundle',
      'bearer or session',
      '200 400 401 403 404 409 410 413 429 500 503',
    ],
    ['get /v1/runs/{run_id}/events', 'bearer or session', '200 400 401 403 404 410 429 500 503'],
    [
      'post /v1/chat/messages',
      'bearer or session',
      '200 202 400 401 403 404 409 413 415 429 500 503',
    ],
    ['post /v1/tools/execute', 'bearer or session', '200 400 401 403 404 413 415 429 500 503 504'],
    ['get /', '', '200 302 400 403'],
    ['get /healthz', '', '200 400 403 503'],
    ['get /metrics', 'bearer or session', '200 400 401 403 429 500'],
    ['get /openapi.json', 'bearer or basic or session', '200 400 401 403 429 500'],
    ['get /docs', 'bearer or basic or session', '200 400 401 403 429 500'],
  ]);
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      expect(operation.summary).not.toBe('');
      expect(operation.description).toMatch(/\.$/);
    }
  }
});

test('says of the body of a new run what the validation enforces', async () => {
  const server = await openTestServer();

  const document = (await server.call('/openapi.json')).body as OpenApiDocument;

  expect(document.paths['/v1/runs']?.['post']?.requestBody).toMatchObject({
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['agent_id', 'message'],
          additionalProperties: false,
          properties: {
            agent_id: { type: 'string', minLength: 1, pattern: AGENT_REFERENCE_PATTERN.source },
            message: { type: 'string', minLength: 1, maxLength: 262_144 },
          },
        },
      },
    },
  });
});

test('says of the body of a chat message what is enforced', async () => {
  const server = await openTestServer();

  const document = (await server.call('/openapi.json')).body as OpenApiDocument;

  expect(document.paths['/v1/chat/messages']?.['post']?.requestBody).toMatchObject({
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['user_id', 'message'],
          additionalProperties: false,
          properties: {
            room_id: { type: 'string', default: 'dashboard' },
            channel: { type: 'string', default: 'http' },
            message: { type: 'string', minLength: 1, maxLength: 262_144 },
          },
        },
      },
    },
  });
});

test('documents integers of a query as integers with their bounds', async () => {
  const server = await openTestServer();

  const document = (await server.call('/openapi.json')).body as OpenApiDocument;

  const limit = document.paths['/v1/runs']?.['get']?.parameters?.find(
    (one) => one.name === 'limit',
  );
  expect(limit).toMatchObject({
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  });
});

test('asks for the token', async () => {
  const server = await openTestServer();

  const answer = await server.call('/openapi.json', { anonymous: true });

  expect(answer.status).toBe(401);
});
