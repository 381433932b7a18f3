import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../src/core/log.ts';
import { openServer } from '../../../src/server.ts';
import { putFreshState } from '../../support/fresh-state.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { openAdminServer } from '../admin/test-admin-server.ts';
import { openApiServer } from '../api/open-api-server.ts';
import { createHttpClient, TOKEN } from '../v1/http-client.ts';
import { openTestServer } from '../v1/test-server.ts';
import { refusal, SESSION, SIGN_INS, signIn } from './browser.ts';

const KILL_SWITCH = '/api/admin/kill-switch';
const CSRF = (problem: string) =>
  `the x-pincer-csrf header ${problem}: send the csrf_token that GET /dashboard/session answers with`;

test('a cookie passes wherever the token does, and nowhere else', async () => {
  const server = await openApiServer();
  const { looking, acting } = await signIn(server);
  const get = async (path: string) => (await server.call(path, looking)).status;

  const open = await Promise.all(
    [
      '/v1/runs',
      '/v1/models',
      '/api/agents',
      '/api/admin/status',
      '/metrics',
      '/docs',
      '/openapi.json',
    ].map(get),
  );
  const run = await server.post('/v1/runs', { agent_id: 'agent_default', message: 'hi' }, acting);
  const mcp = await server.post('/mcp', {}, acting);
  const internal = await server.call('/internal/v1/runs/snapshot?run_id=x', looking);

  expect(open).toEqual([200, 200, 200, 200, 200, 200, 200]);
  expect(run.status).toBe(202);
  expect([mcp.status, internal.status]).toEqual([401, 401]);
});

test('what changes something needs the word of our own pages', async () => {
  const server = await openAdminServer();
  const { looking, acting } = await signIn(server);
  const other = await signIn(server);
  const body = { on: true };
  const put = (headers: Record<string, string>) =>
    server.call(KILL_SWITCH, { anonymous: true, method: 'PUT', headers, body });

  const without = await put(looking.headers);
  const wrong = await put({ ...looking.headers, 'x-pincer-csrf': other.csrf });
  const right = await put(acting.headers);

  expect([without.status, without.body]).toEqual([
    403,
    refusal(CSRF('is missing'), 'policy.denied'),
  ]);
  expect([wrong.status, wrong.body]).toEqual([
    403,
    refusal(CSRF('is of another sign-in'), 'policy.denied'),
  ]);
  expect(right.status).toBe(200);
});

test.each([['cross-site'], ['same-site']])(
  'a page of another site is refused, also when it only looks: %s',
  async (site) => {
    const server = await openAdminServer();
    const { acting } = await signIn(server);
    const headers = { ...acting.headers, 'sec-fetch-site': site };

    const answers = await Promise.all([
      server.call('/api/admin/status', { anonymous: true, headers }),
      server.call(SESSION, { anonymous: true, headers }),
      server.call(SESSION, { anonymous: true, method: 'DELETE', headers }),
    ]);

    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([
        403,
        refusal(
          'a page of another site can not use your sign-in: open the dashboard itself',
          'policy.denied',
        ),
      ]);
    }
    expect(await server.signIns.list()).toHaveLength(1);
  },
);

test('a foreign Origin is refused', async () => {
  const server = await openAdminServer();
  const { acting } = await signIn(server);
  const headers = { ...acting.headers, origin: 'https://evil.example' };

  const looked = await server.call('/api/admin/status', { anonymous: true, headers });
  const signedIn = await server.post(
    SESSION,
    { token: TOKEN },
    { anonymous: true, headers: { origin: 'https://evil.example' } },
  );

  expect([looked.status, signedIn.status]).toEqual([403, 403]);
});

test.each(['same-origin', 'none'])('our own pages and typed addresses pass: %s', async (site) => {
  const server = await openAdminServer();
  const { looking } = await signIn(server);
  const headers = { ...looking.headers, 'sec-fetch-site': site };

  const answer = await server.call('/api/admin/status', { anonymous: true, headers });

  expect(answer.status).toBe(200);
});

test('who sends a token means it, whatever the cookie says', async () => {
  const server = await openAdminServer();
  const { looking } = await signIn(server);
  const wrong = { ...looking.headers, authorization: 'Bearer wrong' };
  const right = { cookie: 'pincer_session=nothing', authorization: `Bearer ${TOKEN}` };

  const refused = await server.call('/api/admin/status', { headers: wrong });
  const taken = await server.call(KILL_SWITCH, { method: 'DELETE', headers: right });

  expect([refused.status, taken.status]).toEqual([401, 200]);
});

test('each sign-in has a rate limit of its own', async () => {
  const server = await openAdminServer({}, { rateLimitMax: 2 });
  const [one, two] = [await signIn(server), await signIn(server)];
  const statusOf = async (headers: Record<string, string>) =>
    (await server.call('/api/admin/status', { anonymous: true, headers })).status;

  const first = [
    await statusOf(one.looking.headers),
    await statusOf(one.looking.headers),
    await statusOf(one.looking.headers),
  ];

  expect(first).toEqual([200, 200, 429]);
  expect(await statusOf(two.looking.headers)).toBe(200);
  expect((await server.call('/api/admin/status')).status).toBe(200);
});

test('a server with another token knows none of the sign-ins, and the old token all of them', async () => {
  const engine = await keptRoot();
  const first = await engine.open(TOKEN);
  const { looking } = await signIn(first);
  await first.close();

  const second = await engine.open('another-token-77aa');
  const other = await second.call('/api/admin/status', looking);
  const headers = { authorization: 'Bearer another-token-77aa' };
  const listed = await second.call(SIGN_INS, { headers });
  await second.close();
  const third = await engine.open(TOKEN);
  const again = await third.call('/api/admin/status', looking);

  expect(other.status).toBe(401);
  expect(listed.body).toEqual({ sign_ins: [] });
  expect(again.status).toBe(200);
});

test('nothing that signs in is written into the log', async () => {
  const { logs, ...server } = await loggedServer();
  const { code } = server.signIns.mintCode();
  const browser = await signIn(server, { code });
  await signIn(server);
  await server.call('/v1/runs', browser.looking);
  await server.post(SESSION, { code }, { anonymous: true });
  await server.call(SESSION, { ...browser.acting, method: 'DELETE' });

  const written = JSON.stringify(logs);

  const secrets = [TOKEN, code, browser.csrf, browser.cookie.split('.')[1] ?? ''];
  for (const secret of secrets) expect(written).not.toContain(secret);
  expect(logs.map(({ message }) => message)).toEqual(
    expect.arrayContaining(['signed in', 'signed out', 'security event']),
  );
  expect(written).toContain(browser.signInId);
});

test('a server of tokens alone is as it was', async () => {
  const server = await openTestServer();

  const answer = await server.call('/v1/runs', {
    anonymous: true,
    headers: { cookie: 'pincer_session=x' },
  });

  expect(answer.body).toEqual(refusal('missing bearer token'));
});

interface LogLine {
  readonly fields: object;
  readonly message: string;
}

async function loggedServer() {
  const logs: LogLine[] = [];
  const add = (fields: object, message: string) => void logs.push({ fields, message });
  const server = await openApiServer({
    logger: { debug: add, info: add, warn: add, error: add },
  });
  return { ...server, logs };
}

/** One state root, served several times. */
async function keptRoot() {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  await putFreshState(root.path);
  return {
    async open(token: string) {
      const server = await openServer({
        ...{ root: root.path, env: { API_BEARER_TOKEN: token }, flags: { port: '0' } },
        ...{ logger: silentLogger, writer: 'inline' },
      });
      onTestFinished(() => server.close());
      return { ...server, ...createHttpClient(Number(new URL(server.url).port)) };
    },
  };
}
