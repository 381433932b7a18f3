import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorEnvelope } from '../../../src/surfaces/http/fields.ts';
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from '../../../src/surfaces/http/openapi-document.ts';
import type { Answer, Call } from './http-client.ts';
import { finish, openTestServer, start } from './test-server.ts';

interface Route {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

const RUNS = 400;

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\0', '..', '../..', 'a/b', '%', '%00', '{}', '[]', 'null', '-1', '1e9', ' '),
  fc.integer().map(String),
);

const bodies = fc.oneof(
  fc.json(),
  nasty,
  fc.constant(undefined),
  fc.record({
    agent_id: fc.oneof(fc.constant('agent_default'), nasty, fc.jsonValue()),
    message: fc.oneof(nasty, fc.jsonValue()),
  }),
  fc.record(
    {
      user_id: fc.oneof(fc.constant('ana'), nasty, fc.jsonValue()),
      message: fc.oneof(fc.constantFrom('hi', '/new', '/chats', '/resume x'), nasty),
      room_id: nasty,
      session_id: nasty,
    },
    { requiredKeys: ['user_id', 'message'] },
  ),
  fc.record({ reason: fc.oneof(nasty, fc.jsonValue()) }),
);

/** Values that fit the parameter's schema often enough to get past it. */
function nearValue(parameter: OpenApiParameter): fc.Arbitrary<string> {
  const known = parameter.name === 'run_id' ? ['run_done', 'run_missing'] : ['1', 'queued'];
  return fc.oneof(fc.constantFrom(...known), nasty);
}

function callOf(route: Route): fc.Arbitrary<{ path: string; options: Call }> {
  const parameters = route.operation.parameters ?? [];
  const given = fc.record(
    Object.fromEntries(parameters.map((one) => [`${one.in} ${one.name}`, nearValue(one)])),
    {
      requiredKeys: parameters.filter((one) => one.in === 'path').map((one) => `path ${one.name}`),
    },
  );
  const extra = fc.option(fc.tuple(nasty, nasty), { freq: 6 });
  const contentType = fc.oneof(
    { weight: 5, arbitrary: fc.constant('application/json') },
    fc.constantFrom('text/plain', 'application/json; charset=x', 'x'),
  );
  const method = fc.oneof(
    { weight: 8, arbitrary: fc.constant(route.method.toUpperCase()) },
    fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
  );
  return fc.record({ given, extra, body: bodies, contentType, method }).map((parts) => {
    const values = Object.entries(parts.given).map(([key, value]) => {
      const [place, name] = key.split(' ');
      return { place, name: name ?? '', value: value ?? '' };
    });
    let path = route.path;
    const query = new URLSearchParams();
    const headers: Record<string, string> = {};
    for (const { place, name, value } of values) {
      if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
      if (place === 'query') query.append(name, value);
      if (place === 'header') headers[name] = value.replace(/[^\x20-\x7e]/g, '?');
    }
    if (parts.extra) query.append(...parts.extra);
    const hasBody = parts.body !== undefined && parts.method !== 'GET' && parts.method !== 'HEAD';
    return {
      path: query.size === 0 ? path : `${path}?${query}`,
      options: {
        method: parts.method,
        headers: hasBody ? { ...headers, 'content-type': parts.contentType } : headers,
        ...(hasBody ? { body: parts.body } : {}),
      },
    };
  });
}

function assertContract(answer: Answer): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
  if (answer.status < 300 || answer.text === '') return;
  expect(errorEnvelope.strict().safeParse(answer.body).error).toBeUndefined();
}

test('never answers with a fault, and refuses only in the envelope, whatever it is sent', async () => {
  const server = await openTestServer({
    config: { rateLimitMax: 1_000_000 },
    chat: () => ({ rateLimitPerMin: 1_000_000, globalRateLimitPerMin: 1_000_000 }),
  });
  await finish(server, await start(server, 'run_done'));
  const document = (await server.call('/openapi.json')).body as OpenApiDocument;
  const routes: Route[] = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  const calls = fc.constantFrom(...routes).chain(callOf);
  await fc.assert(
    fc.asyncProperty(calls, async ({ path, options }) => {
      assertContract(await server.call(path, options));
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: 15_000 },
  );

  expect((await server.call('/healthz')).status).toBe(200);
});
