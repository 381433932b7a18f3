import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiErrorEnvelope } from '../../../src/surfaces/api/error-envelope.ts';
import type {
  OpenApiDocument,
  OpenApiParameter,
} from '../../../src/surfaces/http/openapi/openapi-document.ts';
import { fuzzCalls, nasty, type Route, routesOf } from '../fuzz-calls.ts';
import type { Answer } from '../v1/http-client.ts';
import { openApiServer } from './open-api-server.ts';

const RUNS = 300;

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

/** What the schema speaks of, with something else in places. */
function nearValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const odd = fc.oneof(nasty, fc.jsonValue({ maxDepth: 1 }));
  if (schema.enum) return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...schema.enum) }, odd);
  if (schema.properties) return nearObject(schema.properties);
  if (schema.items) return fc.oneof(fc.array(nearValue(schema.items), { maxLength: 3 }), odd);
  const plain = {
    string: fc.constantFrom('proj_001', 'agent_default', 'mem_1', 'text with words', "' OR 1=1 --"),
    integer: fc.constantFrom(0, 1, 5, -1, 16, 1e9),
    number: fc.constantFrom(0, 1, 0.5, -1, 1e308),
    boolean: fc.boolean(),
  };
  const fitting = plain[schema.type as keyof typeof plain];
  return fitting ? fc.oneof({ weight: 4, arbitrary: fitting }, odd) : odd;
}

function nearObject(properties: Readonly<Record<string, JsonSchema>>): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, schema]) => [name, nearValue(schema)]);
  return fc.record(Object.fromEntries(members), { requiredKeys: [] });
}

function bodies({ operation }: Route): fc.Arbitrary<unknown> {
  const schema = operation.requestBody?.content?.['application/json']?.schema as
    | JsonSchema
    | undefined;
  const others = fc.oneof(fc.json(), nasty, fc.constant(undefined));
  if (schema === undefined) return others;
  return fc.oneof({ weight: 4, arbitrary: nearValue(schema) }, others);
}

function near({ name }: OpenApiParameter): readonly string[] {
  if (name === 'q') return ['what stack', '"', '*', 'NEAR(a, b)', 'a AND', '-- x'];
  if (name === 'limit') return ['10', '0', '-1', '1000000000'];
  return ['agent_default', 'proj_001', 'mem_1', '1', 'true'];
}

function assertContract(answer: Answer): void {
  expect(answer.status, answer.text).toBeLessThan(500);
  if (answer.status < 300 || answer.text === '') return;
  expect(apiErrorEnvelope.strict().safeParse(answer.body).error, answer.text).toBeUndefined();
}

test('never answers with a fault, and refuses with taxonomy and advice, whatever it is sent', async () => {
  const server = await openApiServer({ env: { API_RATE_LIMIT_MAX: '1000000' } });
  const document = (await server.call('/openapi.json')).body as OpenApiDocument;
  const routes = routesOf(document).filter(
    ({ path }) => /^\/(api|health)\//.test(path) && !path.startsWith('/api/admin/'),
  );

  const calls = fc.constantFrom(...routes).chain((route) => fuzzCalls(route, { bodies, near }));
  await fc.assert(
    fc.asyncProperty(calls, async ({ path, options }) => {
      assertContract(await server.call(path, options));
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: 20_000 },
  );

  expect((await server.call('/health/live')).status).toBe(200);
});
