import { request } from 'node:http';
import { expect, test } from 'vitest';
import { signRequest } from '../../../src/sign-request.ts';
import { refusal, SESSION, SIGN_INS, signIn } from '../dashboard/browser.ts';
import { SECRET } from '../internal/signed-client.ts';
import { type AdminServer, openAdminServer, START } from './test-admin-server.ts';

const CODES = `${SIGN_INS}/codes`;

test('lists who is signed in, and which one asks', async () => {
  const server = await openAdminServer();
  const headers = { 'user-agent': `Browser/1.0 ${'x'.repeat(1000)}` };
  const first = await signIn({ post: (path, body) => server.post(path, body, { headers }) });
  const second = await signIn(server);
  server.clock.advance(5 * 60_000);

  const byCookie = await server.call(SIGN_INS, second.looking);
  const byToken = await server.call(SIGN_INS);

  const common = { address: '127.0.0.1', created_at: START };
  expect([byCookie.status, byCookie.body]).toEqual([
    200,
    {
      sign_ins: [
        {
          ...common,
          sign_in_id: first.signInId,
          current: false,
          user_agent: headers['user-agent'].slice(0, 256),
          last_seen_at: START,
          expires_at: '2026-03-17T00:00:00.000Z',
        },
        {
          ...common,
          sign_in_id: second.signInId,
          current: true,
          user_agent: '',
          last_seen_at: '2026-02-15T00:05:00.000Z',
          expires_at: '2026-03-17T00:05:00.000Z',
        },
      ],
    },
  ]);
  expect(byToken.body).toMatchObject({ sign_ins: [{ current: false }, { current: false }] });
});

test('signs another browser out at once, and its open streams too', async () => {
  const server = await openAdminServer();
  const [mine, lost] = [await signIn(server), await signIn(server)];
  const stream = await openStream(server, lost.cookie);

  const answer = await server.call(`${SIGN_INS}/${lost.signInId}`, {
    ...mine.acting,
    method: 'DELETE',
  });
  const again = await server.call(`${SIGN_INS}/${lost.signInId}`, { method: 'DELETE' });

  await stream.ended;
  expect([answer.status, answer.body]).toEqual([200, { ended: 1 }]);
  expect((await server.call(SESSION, lost.looking)).status).toBe(401);
  expect((await server.call(SESSION, mine.looking)).status).toBe(200);
  expect([again.status, again.body]).toEqual([
    404,
    refusal(`there is no sign-in ${lost.signInId}: it may be over already`, 'sign_in.not_found'),
  ]);
});

test('signs all others out, or all when the token asks', async () => {
  const server = await openAdminServer();
  const [mine] = [await signIn(server), await signIn(server), await signIn(server)];

  const others = await server.call(SIGN_INS, { ...mine.acting, method: 'DELETE' });
  const left = await server.signIns.list();
  const all = await server.call(SIGN_INS, { method: 'DELETE' });

  expect(others.body).toEqual({ ended: 2 });
  expect(left.map(({ id }) => id)).toEqual([mine.signInId]);
  expect(all.body).toEqual({ ended: 1 });
  expect((await server.call(SESSION, mine.looking)).status).toBe(401);
});

test('the token makes a link that signs in once; a sign-in makes none', async () => {
  const server = await openAdminServer();
  const mine = await signIn(server);

  const made = await server.call(CODES, { method: 'POST' });
  const refused = await server.call(CODES, { ...mine.acting, method: 'POST' });

  const { code } = made.body as { readonly code: string };
  expect([made.status, made.body]).toEqual([
    201,
    {
      code: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/),
      url: `${server.url}/dashboard/#code=${code}`,
      expires_at: '2026-02-15T00:10:00.000Z',
    },
  ]);
  expect((await signIn(server, { code })).signInId).toMatch(/^signin_/);
  expect([refused.status, refused.body]).toEqual([
    403,
    refusal(
      'a link needs the bearer token: run `claw dashboard` where the server runs',
      'policy.denied',
    ),
  ]);
});

test.each([
  ['GET', SIGN_INS],
  ['DELETE', SIGN_INS],
  ['DELETE', `${SIGN_INS}/signin_x`],
  ['POST', CODES],
])('nobody else may: %s %s', async (method, path) => {
  const server = await openAdminServer();
  const { looking } = await signIn(server);

  const anonymous = await server.call(path, { anonymous: true, method });
  const unproven = await server.call(path, { ...looking, method });
  const [user, guest] = await Promise.all(
    [{ userId: 42 }, { guestScope: 'guest:one' }].map((who) =>
      server.call(path, {
        ...{ anonymous: true, method },
        headers: signRequest({ secret: SECRET, ...who }),
      }),
    ),
  );

  expect([anonymous.status, user?.status, guest?.status]).toEqual([401, 401, 401]);
  expect(unproven.status).toBe(method === 'GET' ? 200 : 403);
  expect(await server.signIns.list()).toHaveLength(1);
});

/** Resolves when the first bytes have come; `ended` when the server has closed it. */
function openStream({ port }: AdminServer, cookie: string): Promise<{ ended: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/api/admin/events', headers: { cookie } };
    const outgoing = request({ ...options, agent: false }, (response) => {
      const ended = new Promise<void>((end) => response.once('close', () => end()));
      response.once('data', () => resolve({ ended }));
      response.resume();
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
