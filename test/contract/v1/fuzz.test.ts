import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorEnvelope } from '../../../src/operations/fields.ts';
import type {
  OpenApiDocument,
  OpenApiParameter,
} from '../../../src/surfaces/http/openapi/openapi-document.ts';
import { fuzzCalls, nasty, routesOf } from '../fuzz-calls.ts';
import type { Answer } from './http-client.ts';
import { finish, openTestServer, start } from './test-server.ts';

const RUNS = 400;

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

function near({ name }: OpenApiParameter): readonly string[] {
  return name === 'run_id' ? ['run_done', 'run_missing'] : ['1', 'queued'];
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
  const fuzz = { bodies: () => bodies, near };

  const calls = fc.constantFrom(...routesOf(document)).chain((route) => fuzzCalls(route, fuzz));
  await fc.assert(
    fc.asyncProperty(calls, async ({ path, options }) => {
      assertContract(await server.call(path, options));
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: 15_000 },
  );

  expect((await server.call('/healthz')).status).toBe(200);
});
