import { expect, test } from 'vitest';
import { openApiServer } from '../contract/api/open-api-server.ts';
import { TOKEN } from '../contract/v1/http-client.ts';
import { runClaw } from '../support/run-claw.ts';

const ALERT =
  'alert: callers come with a missing or a wrong token (5). Look in the log for auth_denied to see who they are; ' +
  'set a new token if one may have leaked.';

test('says what was refused, through the server and from the store without one', async () => {
  const server = await openApiServer();
  const claw = (...argv: string[]) =>
    runClaw(server.root, ['observability', ...argv], { env: { API_BEARER_TOKEN: TOKEN } });
  for (let count = 0; count < 5; count += 1) await server.call('/v1/runs', { anonymous: true });

  const served = await claw('--window', '5');
  const json = JSON.parse((await claw('--output-format', 'json')).stdout);
  await server.close();
  const stored = await claw('--window', '5');

  const text = [
    'status           watch',
    'window           5 minutes',
    'security events  5: 5 auth_denied',
    'errors           5: 5 auth',
    ALERT,
    '',
  ].join('\n');
  expect([served.code, served.stdout]).toEqual([0, text]);
  expect(stored).toEqual(served);
  expect(json).toMatchObject({
    command: 'observability',
    window_minutes: 60,
    security_event_counters: [{ key: 'auth_denied', count: 5 }],
    alert_status: 'watch',
    via: 'server',
  });
});

test.each(['0', '1441', 'x', '1.5'])('refuses a window of %s', async (window) => {
  const { root } = await openApiServer();

  const { code, stderr } = await runClaw(root, ['observability', '--window', window]);

  expect([code, stderr]).toEqual([2, expect.stringContaining('--window')]);
});
