import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findProjections } from '../../../src/core/projection/find-projections.ts';
import { buildOpenApi } from '../../../src/surfaces/http/openapi/build-openapi.ts';
import type { OpenApiOperation } from '../../../src/surfaces/http/openapi/openapi-document.ts';
import type { SurfaceKit } from '../../../src/surfaces/http/surface.ts';
import { errorEnvelope } from '../../../src/surfaces/internal/answers.ts';
import { INTERNAL_ERRORS } from '../../../src/surfaces/internal/errors.ts';
import type { Answer } from '../v1/http-client.ts';
import { GET_ISSUE, GITHUB_KEY, ISSUE } from './integration-server.ts';
import { json, openServiceServer } from './service-server.ts';
import type { SignedCall } from './signed-client.ts';
import { PUBLISH, SKILL_SPEC, SKILL_SPECS, TOOL_SPEC, TOOL_SPECS } from './skills/skill-server.ts';
import { createRun, type InternalServer, openInternalServer } from './test-internal-server.ts';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

interface FuzzedCall {
  readonly path: string;
  readonly options: SignedCall;
}

const CALLS_PER_ROUTE = 25;
const PREFIX = '/internal/v1';

/** A body that every operation takes. An operation with a body and without an entry fails the test. */
const BODIES: Readonly<Record<string, object>> = {
  '/runs': { thread_id: 'thread_1', run_id: 'run_new', client_tools: [{ name: 'ask' }] },
  '/runs/{run_id}/frames': {
    thread_id: 'thread_1',
    frame_id: 'frm_1',
    type: 'note',
    payload: { text: 'hi' },
  },
  '/runs/{run_id}/cancel': { thread_id: 'thread_1', reason: 'enough' },
  '/tools/execute': { ...GET_ISSUE, run_id: 'run_1', thread_id: 'thread_1', request: callOf(1) },
  '/skills/tool-specs': { state: 'validated', tool_spec: TOOL_SPEC },
  '/skills/skill-specs': { state: 'validated', skill_spec: { ...SKILL_SPEC, version: 2 } },
  '/codex/workers': {
    worker_id: 'codexw_1',
    workspace_ref: 'workspace://demo',
    metadata: { a: 1 },
  },
  '/codex/workers/{worker_id}/requests': {
    request: { request_id: 'req_1', method: 'thread/start', params: { prompt: 'hi' } },
  },
  '/codex/workers/{worker_id}/events': {
    event: { event_type: 'worker.heartbeat', payload: { a: 1 } },
  },
  '/codex/workers/{worker_id}/stop': { reason: 'enough' },
  '/comms/delivery-events': {
    event_id: 'evt_1',
    provider: 'resend',
    delivery_state: 'bounced',
    recipient: 'user@example.com',
    payload: { rawType: 'email.bounced' },
  },
};

/** The first of each fits; streams are short. */
const VALUES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  run_id: ['run_1', 'run_ended', 'run_missing'],
  thread_id: ['thread_1', 'thread_2', ''],
  worker_id: ['codexw_1', 'codexw_2'],
  skill_id: ['github-coding-custom', 'github-coding', 'nothing'],
  version: ['1', '2', '0', '2147483648'],
  cursor: ['1', '0', '9007199254740991', '9007199254740992', '-0'],
  'last-event-id': ['1', '0', '2', '9007199254740991', ''],
  tail_ms: ['1', '5', '0', '-1', '300001', '1e3', ''],
  status: ['running', 'stopped', 'asleep'],
  workspace_ref: ['workspace://demo', ''],
  limit: ['1', '200', '201', '0'],
  'x-oa-user-id': ['42', '0', '-1', '7', 'x', '9007199254740992'],
  'x-oa-guest-scope': ['guest', ''],
};

function callOf(issueNumber: number): object {
  return {
    integration_id: 'github.primary',
    operation: 'get_issue',
    repository: 'OpenAgentsInc/openagents',
    issue_number: issueNumber,
    tool_call_id: 'tool_call_1',
  };
}

const nastyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\0', '\ud800', '..', 'a/b', '%00', '{}', '-1', '1e9', ' ', 'x'.repeat(300)),
);

const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 2 ** 53, 1e308, [], {}, [[]], ['x'], {
    a: null,
  }),
);

/** Somewhere in a body that fits, something else, or nothing. */
function spoil(body: unknown): fc.Arbitrary<unknown> {
  const places = placesOf(body);
  return fc
    .record({ at: fc.constantFrom(...places), value: nastyValue, isGone: fc.boolean() })
    .map(({ at, value, isGone }) => replaceAt(body, at, isGone ? undefined : value));
}

function placesOf(value: unknown): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inside = Object.entries(value).flatMap(([key, member]) =>
    placesOf(member).map((place) => [key, ...place]),
  );
  return [[], ...inside];
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const members = value as Readonly<Record<string, unknown>>;
  const changed = { ...members, [key]: replaceAt(members[key], rest, by) };
  return Array.isArray(value) ? Object.values(changed) : changed;
}

function bodyOf({ method, path, operation }: Route): fc.Arbitrary<unknown> {
  const fitting = BODIES[path];
  const hasBody = operation.requestBody !== undefined;
  if (hasBody && fitting === undefined) throw new Error(`BODIES has nothing for ${method} ${path}`);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(fitting) },
    { weight: 6, arbitrary: fitting === undefined ? nastyValue : spoil(fitting) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: nastyText },
  );
}

function fuzzedCallOf(route: Route): fc.Arbitrary<FuzzedCall> {
  const parameters = route.operation.parameters ?? [];
  const values = fc.record(
    Object.fromEntries(
      parameters.map(({ name }) => [
        name,
        // A stream with any number for its time could wait for minutes.
        name === 'tail_ms'
          ? fc.constantFrom(...valuesOf(name))
          : fc.oneof(
              { weight: 4, arbitrary: fc.constant(valuesOf(name)[0]) },
              fc.constantFrom(...valuesOf(name)),
              nastyText,
            ),
      ]),
    ),
    { requiredKeys: parameters.filter(isNeeded).map(({ name }) => name) },
  );
  const others = fc.record({
    body: bodyOf(route),
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(route.method) },
      fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS'),
    ),
    contentType: fc.oneof(
      { weight: 9, arbitrary: fc.constant('application/json') },
      fc.constantFrom('text/plain', 'application/json; charset=x', ''),
    ),
    signature: fc.option(nastyText.map(toHeader), { freq: 12 }),
    twice: fc.boolean(),
  });
  return fc.tuple(values, others).map(([given, more]) => toCall(route, given, more));
}

function isNeeded({ in: place, name }: { readonly in: string; readonly name: string }): boolean {
  return place === 'path' || name === 'tail_ms';
}

function valuesOf(name: string): readonly [string, ...string[]] {
  const values = VALUES[name];
  if (values === undefined) throw new Error(`VALUES has nothing for ${name}`);
  return values;
}

const toHeader = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');

interface FuzzedParts {
  readonly body?: unknown;
  readonly method: string;
  readonly contentType?: string;
  readonly signature?: string | null;
  /** The query is sent with everything in it twice. */
  readonly twice?: boolean;
}

function toCall(
  { path: template, operation }: Route,
  given: Readonly<Record<string, string | undefined>>,
  { body, method, contentType = 'application/json', signature, twice = false }: FuzzedParts,
): FuzzedCall {
  let path = template;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const { in: place, name } of operation.parameters ?? []) {
    const value = given[name];
    if (value === undefined) continue;
    if (place === 'path')
      path = path.replace(`{${name}}`, encodeURIComponent(value.toWellFormed()));
    if (place === 'query') query.append(name, value);
    if (place === 'header') headers[name] = toHeader(value);
  }
  if (typeof signature === 'string') headers['x-oa-runtime-signature'] = signature;
  const asked = twice && method !== 'GET' ? `${query}&${query}` : `${query}`;
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  return {
    path: asked === '' ? path : `${path}?${asked}`,
    options: {
      method,
      headers: hasBody ? { ...headers, 'content-type': contentType } : headers,
      ...(hasBody ? { body } : {}),
    },
  };
}

async function openWholeServer(): Promise<InternalServer> {
  const github = await openServiceServer(json(200, ISSUE));
  const server = await openInternalServer({
    http: { rateLimitMax: 1_000_000 },
    maxFailures: 1_000_000,
    config: {
      integrations: { github: { base_url: github.url }, resend: { base_url: github.url } },
    },
    deps: (runtime) => ({
      specRegistry: runtime.skills.registry,
      skillReleases: runtime.skills.releases,
      codexWorkers: runtime.workers,
      findWorkerProjections: (workers) =>
        findProjections(runtime.storage.projections, 'codex_worker_summary', workers),
      deliveryEvents: runtime.comms,
    }),
  });
  await server.runtime.secrets.put('intsec_github_1', GITHUB_KEY);
  await createRun(server, 'run_1');
  await createRun(server, 'run_ended');
  await server.post('/runs/run_ended/cancel', { thread_id: 'thread_1' });
  await server.post('/codex/workers', { worker_id: 'codexw_1' });
  await server.post(TOOL_SPECS, { tool_spec: TOOL_SPEC });
  await server.post(SKILL_SPECS, { skill_spec: SKILL_SPEC });
  await server.post(PUBLISH, {});
  return server;
}

async function listRoutes({ surface }: InternalServer): Promise<Route[]> {
  const info = { title: 'Pincer', version: '0', description: 'A test.' };
  const { paths } = await buildOpenApi([surface], {} as SurfaceKit, info);
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(PREFIX, ''),
      operation,
    })),
  );
  // What is cancelled and stopped last is open until then.
  return routes.sort((one, other) => Number(isEnding(one)) - Number(isEnding(other)));
}

function isEnding({ path }: Route): boolean {
  return path.endsWith('/cancel') || path.endsWith('/stop');
}

const CODES = new Set<string>(Object.values(INTERNAL_ERRORS).map(([, code]) => code));

function assertContract(route: Route, { options }: FuzzedCall, answer: Answer): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
  if (options.method === route.method) {
    expect(Object.keys(route.operation.responses ?? {})).toContain(String(answer.status));
  }
  if (answer.status < 300 || answer.text === '') return;
  const envelope = errorEnvelope.strict().parse(answer.body);
  expect(CODES).toContain(envelope.error.code);
}

test('answers every operation as documented, and never with a fault, whatever it is sent', async () => {
  const server = await openWholeServer();
  const routes = await listRoutes(server);

  for (const route of routes) {
    const names = (route.operation.parameters ?? []).map(({ name }) => name);
    const given = Object.fromEntries(names.map((name) => [name, valuesOf(name)[0]]));
    const { 'x-oa-guest-scope': _guest, ...fitting } = given;
    const call = toCall(route, fitting, { method: route.method, body: BODIES[route.path] });
    const { status, text } = await server.call(call.path, call.options);
    expect([200, 201, 202], `${route.method} ${route.path} ${text}`).toContain(status);
    await fc.assert(
      fc.asyncProperty(fuzzedCallOf(route), async (call) => {
        assertContract(route, call, await server.call(call.path, call.options));
      }),
      { numRuns: CALLS_PER_ROUTE },
    );
  }

  expect((await server.get('/health')).status).toBe(200);
}, 60_000);
