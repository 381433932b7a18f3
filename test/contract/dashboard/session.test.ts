import { expect, test } from 'vitest';
import { openAdminServer } from '../admin/test-admin-server.ts';
import { TOKEN } from '../v1/http-client.ts';
import { refusal, SESSION, signIn } from './browser.ts';

const DAY_MS = 86_400_000;
const USED = 'this link was used or is older than 10 minutes: run `claw dashboard` for a new one';
const OVER = 'this sign-in is over: sign in again';
const ANONYMOUS = { anonymous: true };

test('the token signs in, and sets a cookie that scripts and other sites never see', async () => {
  const server = await openAdminServer();

  const answer = await server.post(SESSION, { token: TOKEN }, ANONYMOUS);

  expect([answer.status, answer.body]).toEqual([
    200,
    {
      sign_in_id: expect.stringMatching(/^signin_[0-9a-z]{26}$/),
      csrf_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_at: '2026-03-17T00:00:00.000Z',
      version: '0.0.0-test',
    },
  ]);
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^pincer_session=signin_[0-9a-z]{26}\.[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=7776000$/,
    ),
  ]);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.text).not.toContain(TOKEN);
});

test('over https the cookie is kept to https', async () => {
  const server = await openAdminServer({}, { trustProxy: true });
  const headers = { 'x-forwarded-proto': 'https' };

  const answer = await server.post(SESSION, { token: TOKEN }, { ...ANONYMOUS, headers });
  const direct = await (await openAdminServer()).post(SESSION, { token: TOKEN }, { headers });

  expect(answer.headers['set-cookie']?.[0]).toMatch(/; Max-Age=7776000; Secure$/);
  expect(direct.headers['set-cookie']?.[0]).not.toContain('Secure');
});

test('a code signs in once, also when two tabs use it at the same time', async () => {
  const server = await openAdminServer();
  const { code } = server.signIns.mintCode();

  const answers = await Promise.all(
    Array.from({ length: 5 }, () => server.post(SESSION, { code }, ANONYMOUS)),
  );
  const later = await server.post(SESSION, { code }, ANONYMOUS);

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  expect([later.status, later.body]).toEqual([401, refusal(USED)]);
  expect(later.headers['set-cookie']).toBeUndefined();
  expect(await server.signIns.list()).toHaveLength(1);
});

test('a code is no good after ten minutes', async () => {
  const server = await openAdminServer();
  const { code } = server.signIns.mintCode();
  server.clock.advance(10 * 60_000);

  const answer = await server.post(SESSION, { code }, ANONYMOUS);

  expect([answer.status, answer.body]).toEqual([401, refusal(USED)]);
});

test('a wrong token is refused with the next step', async () => {
  const server = await openAdminServer();

  const answer = await server.post(SESSION, { token: `${TOKEN}x` }, ANONYMOUS);

  expect([answer.status, answer.body]).toEqual([
    401,
    refusal(
      'this is not the token of this server: it said where its token is when it started, or run `claw dashboard`',
    ),
  ]);
});

test.each([
  [{}, 'request body must have code or token, and not both'],
  [{ code: 'a', token: 'b' }, 'request body must have code or token, and not both'],
  [{ code: '' }, 'code must not be empty'],
  [{ code: 5 }, 'code must be a string'],
  [{ token: 'x'.repeat(4097) }, 'token must be at most 4096 characters'],
  [{ code: 'a', remember: true }, 'unknown field: remember'],
])('refuses the body %j', async (body, message) => {
  const server = await openAdminServer();

  const answer = await server.post(SESSION, body, ANONYMOUS);

  expect([answer.status, answer.body]).toEqual([400, refusal(message, 'invalid.request')]);
});

test('failures are counted with those of the API, and the right code passes all the same', async () => {
  const server = await openAdminServer();
  for (let tries = 0; tries < 20; tries += 1) {
    await server.post(SESSION, { code: 'wrong' }, ANONYMOUS);
  }
  const headers = { authorization: 'Bearer wrong' };

  const refused = await server.post(SESSION, { code: 'wrong' }, ANONYMOUS);
  const bearer = await server.call('/api/admin/status', { headers });
  const right = await server.post(SESSION, { code: server.signIns.mintCode().code }, ANONYMOUS);

  expect([refused.status, bearer.status, right.status]).toEqual([429, 429, 200]);
  expect(refused.headers['retry-after']).toBe('60');
});

test('says who is signed in, or that nobody is, which is no failure', async () => {
  const server = await openAdminServer();
  const { looking, signInId, csrf } = await signIn(server);

  const strangers = await Promise.all(
    Array.from({ length: 25 }, () => server.call(SESSION, ANONYMOUS)),
  );
  const known = await server.call(SESSION, looking);

  expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([401]));
  expect(strangers[0]?.body).toEqual(
    refusal(
      'nobody is signed in here: open the link that `claw dashboard` prints, or paste the token',
    ),
  );
  expect([known.status, known.body]).toEqual([
    200,
    {
      sign_in_id: signInId,
      csrf_token: csrf,
      expires_at: '2026-03-17T00:00:00.000Z',
      version: '0.0.0-test',
    },
  ]);
});

test('signing out ends the sign-in and takes the cookie back', async () => {
  const server = await openAdminServer();
  const { looking, acting } = await signIn(server);

  const unproven = await server.call(SESSION, { ...looking, method: 'DELETE' });
  const left = await server.call(SESSION, { ...acting, method: 'DELETE' });
  const after = await server.call(SESSION, looking);
  const api = await server.call('/api/admin/status', looking);

  expect(unproven.status).toBe(403);
  expect([left.status, left.text]).toEqual([204, '']);
  expect(left.headers['set-cookie']).toEqual([
    'pincer_session=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0',
  ]);
  expect([after.status, after.body]).toEqual([401, refusal(OVER)]);
  expect(after.headers['set-cookie']?.[0]).toContain('Max-Age=0');
  expect([api.status, api.body]).toEqual([
    401,
    refusal('this sign-in is over: sign in again, or send the bearer token'),
  ]);
  expect(await server.signIns.list()).toEqual([]);
});

test('a browser that signs in again leaves no old sign-in behind', async () => {
  const server = await openAdminServer();
  const before = await signIn(server);

  const answer = await server.post(SESSION, { token: TOKEN }, before.looking);

  expect(answer.status).toBe(200);
  expect((await server.call(SESSION, before.looking)).status).toBe(401);
  expect(await server.signIns.list()).toHaveLength(1);
});

test('a sign-in is over when it was not used for 30 days, and after 90 in any case', async () => {
  const server = await openAdminServer();
  const { looking } = await signIn(server);
  const unused = await signIn(server);
  const statuses: number[] = [];

  for (let days = 0; days < 95; days += 19) {
    statuses.push((await server.call('/api/admin/status', looking)).status);
    server.clock.advance(19 * DAY_MS);
  }
  const forgotten = await server.call(SESSION, unused.looking);

  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  expect((await server.call(SESSION, looking)).status).toBe(401);
  expect([forgotten.status, forgotten.body]).toEqual([401, refusal(OVER)]);
});

test.each([
  ['nothing'],
  ['signin_00000000000000000000000000.'],
  [`signin_00000000000000000000000000.${'x'.repeat(43)}`],
  [TOKEN],
])('the cookie %j signs nobody in', async (value) => {
  const server = await openAdminServer();
  const headers = { cookie: `theme=dark; pincer_session=${value}` };

  const answer = await server.call('/api/admin/status', { ...ANONYMOUS, headers });

  expect(answer.status).toBe(401);
});

test('the secret of another sign-in does not fit', async () => {
  const server = await openAdminServer();
  const [one, two] = [await signIn(server), await signIn(server)];
  const forged = `${one.cookie.split('.')[0]}.${two.cookie.split('.')[1]}`;

  const answer = await server.call(SESSION, { ...ANONYMOUS, headers: { cookie: forged } });

  expect(answer.status).toBe(401);
});

test('what is stored signs nobody in', async () => {
  const server = await openAdminServer();
  const { cookie } = await signIn(server);

  const [stored] = await server.signIns.list();

  const secret = cookie.split('.')[1] ?? '';
  expect(JSON.stringify(stored)).not.toContain(secret);
  expect(JSON.stringify(stored)).not.toContain(TOKEN);
});
