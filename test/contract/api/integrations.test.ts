import { expect, test } from 'vitest';
import { type AnswerService, json, openServiceServer } from '../internal/service-server.ts';
import type { Call } from '../v1/http-client.ts';
import { openApiServer } from './open-api-server.ts';

const STATUS = '/api/integrations/status';
const TEST = '/api/integrations/test';
const RESEND_KEY = 're_12345678_abcdefghijklmnopqrstuvwx';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

function notSetUp(id: string, name: string, missing: string) {
  return {
    id,
    name,
    status: 'disconnected',
    mock_ready: false,
    message: `${name} is not set up`,
    recovery_action: `To use it, ${missing}.`,
    checked_at: null,
    duration_ms: null,
    http_status: null,
  };
}

const key = (name: string) => `store its key with claw secrets set ${name}`;

test('says of services that nobody set up that they are not, and what they need', async () => {
  const server = await openApiServer();

  const answer = await server.call(STATUS);

  expect([answer.status, answer.body]).toEqual([
    200,
    {
      generated_at: TIME,
      integrations: [
        notSetUp('github', 'GitHub', key('intsec_github_1')),
        notSetUp('email', 'Resend', key('intsec_resend_1')),
        notSetUp(
          'whatsapp_gateway',
          'WhatsApp gateway',
          `set integrations.whatsapp_gateway.base_url and ${key('intsec_whatsapp_gateway_1')}`,
        ),
        notSetUp('make', 'Make', key('intsec_make_1')),
        notSetUp(
          'chefos',
          'ChefOS',
          `set integrations.chefos.base_url and ${key('intsec_chefos_1')}`,
        ),
      ],
    },
  ]);
});

/** A server whose mail goes to a service of the test. */
async function openWithMail(answer: AnswerService) {
  const service = await openServiceServer(answer);
  const env = { RESEND_API_URL: service.url, RESEND_API_KEY: RESEND_KEY };
  const server = await openApiServer({ env, config: { integrations: { timeout_ms: 300 } } });
  return { service, server };
}

test('asks a service with its key, and looks at it again only after a while', async () => {
  const { service, server } = await openWithMail(json(200, { data: [] }));

  const first = await server.call(STATUS);
  const second = await server.call(STATUS);
  const tested = await server.post(TEST, { integration_id: 'email' });

  const connected = {
    id: 'email',
    name: 'Resend',
    status: 'connected',
    mock_ready: false,
    message: 'Resend answered 200 and takes the key',
    recovery_action: null,
    checked_at: TIME,
    duration_ms: expect.any(Number),
    http_status: 200,
  };
  const [, email] = (first.body as { integrations: unknown[] }).integrations;
  expect([email, tested.status, tested.body]).toEqual([connected, 200, connected]);
  expect((second.body as { integrations: unknown[] }).integrations[1]).toEqual(email);
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /domains',
    'GET /domains',
  ]);
  expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${RESEND_KEY}`);
});

const CHECK_PLACE = 'Check integrations.resend.base_url, and that it can be reached from here.';

test.each<[name: string, answer: AnswerService, expected: object]>([
  [
    'refuses the key',
    json(401, { name: 'validation_error', message: `API key ${RESEND_KEY} is invalid` }),
    {
      status: 'review',
      message: 'Resend answered 401 and does not take the key',
      recovery_action: 'Store a valid key with claw secrets set intsec_resend_1.',
      http_status: 401,
    },
  ],
  [
    'takes the key for sending only',
    json(401, { name: 'restricted_api_key', message: 'This API key is restricted' }),
    { status: 'connected', recovery_action: null, http_status: 401 },
  ],
  [
    'breaks',
    json(500, {}),
    {
      status: 'review',
      message: 'Resend answered 500',
      recovery_action: CHECK_PLACE,
      http_status: 500,
    },
  ],
  [
    'does not answer',
    () => {},
    {
      status: 'review',
      message: "Resend can't be asked: no answer within 300 ms",
      recovery_action: CHECK_PLACE,
      http_status: null,
    },
  ],
  [
    'breaks off',
    (_, response) => response.socket?.destroy(),
    { status: 'review', recovery_action: CHECK_PLACE, http_status: null },
  ],
  [
    'leads elsewhere',
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:8081/x' }).end(),
    {
      status: 'review',
      message: expect.stringMatching(/^Resend can't be asked: request to \S+ denied/),
      http_status: null,
    },
  ],
  [
    'answers something else than JSON, and much of it',
    (_, response) => response.writeHead(200).end('x'.repeat(1_000_000)),
    { status: 'connected', http_status: 200 },
  ],
])('tells of a service that %s', async (_name, answer, expected) => {
  const { server } = await openWithMail(answer);

  const tested = await server.post(TEST, { integration_id: 'email' });

  expect(tested.status).toBe(200);
  expect(tested.body).toMatchObject(expected);
  expect(tested.text).not.toContain(RESEND_KEY);
});

test('what is shown as connected can be used: the key of the environment sends mail', async () => {
  const service = await openServiceServer(json(200, { id: 'mail_1' }));
  const server = await openApiServer({
    env: { RESEND_API_URL: service.url, RESEND_API_KEY: RESEND_KEY },
    config: { tools: { granted: ['resend.*'] } },
  });

  const answer = await server.post('/v1/tools/execute', {
    toolId: 'resend.send_email',
    executionId: '7b0f2f0e-5a51-4a39-9a5c-0c5a1d5d7a11',
    payload: { from: 'a@example.com', to: 'b@example.com', subject: 'Hello', text: 'Hello there.' },
  });

  expect(answer.body).toMatchObject({ status: 'success' });
  expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${RESEND_KEY}`);
});

test('asks a gateway at the path that is set, with the key of the secret store', async () => {
  const service = await openServiceServer((_, response) => response.end('ok'));
  const config = {
    integrations: { whatsapp_gateway: { base_url: `${service.url}/wa/`, test_path: '/ping' } },
  };
  const server = await openApiServer({ config });
  const half = await server.post(TEST, { integration_id: 'whatsapp_gateway' });
  await server.runtime.secrets.put('intsec_whatsapp_gateway_1', 'wa-key-1');

  const whole = await server.post(TEST, { integration_id: 'whatsapp_gateway' });

  expect(half.body).toMatchObject({ status: 'review', checked_at: null });
  expect(whole.body).toMatchObject({ status: 'connected', http_status: 200 });
  expect(service.requests).toMatchObject([
    { method: 'GET', path: '/wa/ping', headers: { authorization: 'Bearer wa-key-1' } },
  ]);
});

test('reaches no private address, whatever the base URL says', async () => {
  const config = { integrations: { chefos: { base_url: 'http://169.254.169.254' } } };
  const server = await openApiServer({ config });
  await server.runtime.secrets.put('intsec_chefos_1', 'chef-key-1');

  const tested = await server.post(TEST, { integration_id: 'chefos' });

  expect(tested.body).toMatchObject({
    status: 'review',
    message: expect.stringMatching(/^ChefOS can't be asked: request to 169\.254\.169\.254 denied/),
  });
});

const INVALID = {
  taxonomy: 'validation',
  recovery_action: 'Correct what the message names and send the request again.',
};
const IDS = 'github, email, whatsapp_gateway, make, chefos';

test.each<[name: string, call: Call, status: number, error: object]>([
  [
    'an unknown id',
    { body: { integration_id: 'fax' } },
    400,
    { code: 'validation_error', message: `integration_id must be one of ${IDS}`, details: INVALID },
  ],
  [
    'no id',
    { body: {} },
    400,
    { code: 'validation_error', message: 'integration_id is required', details: INVALID },
  ],
  [
    'no body',
    {},
    400,
    { code: 'validation_error', message: 'request body is required', details: INVALID },
  ],
  [
    'malformed JSON',
    { body: '{' },
    400,
    { code: 'validation_error', message: 'request body is not valid JSON', details: INVALID },
  ],
  [
    'an unknown field',
    { body: { integration_id: 'email', now: true } },
    400,
    { code: 'validation_error', message: 'unknown field: now', details: INVALID },
  ],
  [
    'a body that is not JSON',
    { body: 'email', headers: { 'content-type': 'text/plain' } },
    415,
    {
      code: 'unsupported_media_type',
      message: 'content-type must be application/json',
      details: {
        taxonomy: 'validation',
        recovery_action: 'Send the body as JSON in UTF-8 with content-type: application/json.',
      },
    },
  ],
  [
    'a body that is too large',
    { body: { integration_id: 'x'.repeat(1_100_000) } },
    413,
    {
      code: 'payload_too_large',
      message: 'request body is too large',
      details: {
        taxonomy: 'validation',
        recovery_action: 'Send less in one request; details.limit_bytes, where given, is the most.',
        limit_bytes: 1_048_576,
      },
    },
  ],
  [
    'another method',
    { method: 'GET' },
    405,
    {
      code: 'method_not_allowed',
      message: `method GET is not allowed for ${TEST}`,
      details: {
        taxonomy: 'validation',
        recovery_action: 'Use one of the methods in details.allow.',
        allow: ['POST'],
      },
    },
  ],
])('refuses %s', async (_name, call, status, error) => {
  const server = await openApiServer();

  const answer = await server.call(TEST, { method: 'POST', ...call });

  expect([answer.status, answer.body]).toEqual([status, { error }]);
});
