import { expect, test } from 'vitest';
import { assembleComms } from '../../../src/assembly/assemble-comms.ts';
import { openInternalServer } from './test-internal-server.ts';

const PATH = '/comms/delivery-events';
/** Verbatim from the contract. */
const EVENT = {
  event_id: 'resend_evt_123',
  provider: 'resend',
  delivery_state: 'delivered',
  message_id: 'email_abc',
  integration_id: 'resend.primary',
  recipient: 'user@example.com',
  occurred_at: '2026-02-19T18:00:00Z',
  reason: null,
  payload: { rawType: 'email.delivered' },
};

async function openServer() {
  const server = await openInternalServer({
    deps: (runtime) => ({ deliveryEvents: assembleComms(runtime) }),
  });
  const post = (event: unknown) => server.post(PATH, event, { nobody: true });
  return { server, post, comms: server.runtime.storage.comms };
}

test('takes an event in once, and answers the same again, without a principal', async () => {
  const { post } = await openServer();

  const first = await post(EVENT);
  const second = await post(EVENT);

  expect([first.status, first.body]).toEqual([
    202,
    { eventId: 'resend_evt_123', status: 'accepted', idempotentReplay: false },
  ]);
  expect([second.status, second.body]).toEqual([
    200,
    { eventId: 'resend_evt_123', status: 'accepted', idempotentReplay: true },
  ]);
});

test('knows the same event by what it means, not by how it is written', async () => {
  const { post } = await openServer();
  await post(EVENT);

  const answer = await post({
    payload: { rawType: 'email.delivered' },
    provider: ' RESEND ',
    event_id: 'resend_evt_123',
    delivery_state: 'delivered',
    message_id: 'email_abc',
    integration_id: 'resend.primary',
    recipient: ' User@Example.com',
    occurred_at: '2026-02-19T19:00:00.000+01:00',
    something_else: 1,
  });

  expect([answer.status, answer.body]).toEqual([
    200,
    { eventId: 'resend_evt_123', status: 'accepted', idempotentReplay: true },
  ]);
});

test.each<[name: string, change: object]>([
  ['payload', { payload: { rawType: 'email.bounced' } }],
  ['delivery_state', { delivery_state: 'bounced' }],
  ['recipient', { recipient: 'other@example.com' }],
  ['message_id', { message_id: 'email_other' }],
  ['occurred_at', { occurred_at: '2026-02-19T18:00:01Z' }],
])('refuses another %s under the same event id', async (_name, change) => {
  const { post, comms } = await openServer();
  await post(EVENT);

  const answer = await post({ ...EVENT, ...change });

  expect([answer.status, answer.body]).toEqual([
    409,
    {
      error: {
        code: 'conflict',
        message: 'event_id payload mismatch for existing webhook event',
      },
    },
  ]);
  expect(await comms.isSuppressed('user@example.com')).toBe(false);
});

test('takes the same event id of another provider as another event', async () => {
  const { post } = await openServer();
  await post(EVENT);

  const answer = await post({ ...EVENT, provider: 'ses', payload: {} });

  expect(answer.status).toBe(202);
});

test('accepts exactly one of 64 equal events that arrive together', async () => {
  const { post } = await openServer();

  const answers = await Promise.all(Array.from({ length: 64 }, () => post(EVENT)));

  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([...Array.from({ length: 63 }, () => 200), 202]);
});

test.each(['bounced', 'complained', 'unsubscribed'])(
  'suppresses a recipient that %s before it answers',
  async (state) => {
    const { post, comms } = await openServer();

    const answer = await post({ ...EVENT, delivery_state: state, recipient: ' User@Example.COM' });

    expect(answer.status).toBe(202);
    expect(await comms.isSuppressed('user@example.com')).toBe(true);
    expect(await comms.isSuppressed('other@example.com')).toBe(false);
  },
);

test('takes an event with only what is required', async () => {
  const { post } = await openServer();
  const { event_id, provider, delivery_state, payload } = EVENT;

  const answer = await post({ event_id, provider, delivery_state, payload });

  expect(answer.status).toBe(202);
});

test.each<[event: object, message: string]>([
  [{ ...EVENT, event_id: undefined }, 'event_id is required'],
  [{ ...EVENT, event_id: ' x ' }, 'event_id must be at least 2 characters'],
  [{ ...EVENT, event_id: 'x'.repeat(257) }, 'event_id must be at most 256 characters'],
  [{ ...EVENT, event_id: 7 }, 'event_id must be a string'],
  [{ ...EVENT, provider: undefined }, 'provider is required'],
  [{ ...EVENT, provider: 'x' }, 'provider must be at least 2 characters'],
  [{ ...EVENT, provider: 'x'.repeat(65) }, 'provider must be at most 64 characters'],
  [{ ...EVENT, delivery_state: undefined }, 'delivery_state is required'],
  [
    { ...EVENT, delivery_state: 'opened' },
    'delivery_state must be one of delivered, bounced, complained, unsubscribed',
  ],
  [{ ...EVENT, payload: undefined }, 'payload is required'],
  [{ ...EVENT, payload: [] }, 'payload must be an object'],
  [{ ...EVENT, payload: 'text' }, 'payload must be an object'],
  [{ ...EVENT, occurred_at: 'yesterday' }, 'occurred_at must be a time as in 2026-02-19T18:00:00Z'],
  [{ ...EVENT, recipient: 5 }, 'recipient must be a string'],
])('refuses %j', async (event, message) => {
  const { post } = await openServer();

  const answer = await post(event);

  expect([answer.status, answer.body]).toEqual([
    400,
    { error: { code: 'invalid_request', message } },
  ]);
});

test('refuses a request without a signature', async () => {
  const { server } = await openServer();

  const answer = await server.call(PATH, {
    method: 'POST',
    body: EVENT,
    headers: { 'x-oa-runtime-signature': '' },
  });

  expect(answer.status).toBe(401);
  expect(answer.body).toMatchObject({ error: { code: 'unauthorized' } });
});

test('refuses a payload that is larger than is kept', async () => {
  const { post } = await openServer();

  const answer = await post({ ...EVENT, payload: { text: 'x'.repeat(256 * 1024) } });

  expect([answer.status, answer.body]).toEqual([
    413,
    {
      error: {
        code: 'invalid_request',
        message: 'payload has 262155 characters of JSON, at most 262144 are kept',
      },
    },
  ]);
});
