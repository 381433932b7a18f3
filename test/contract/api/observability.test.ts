import { describe, expect, test } from 'vitest';
import { openServer } from '../../../src/server.ts';
import { TEST_ENGINES, type TestEngine } from '../../support/test-engines.ts';
import { createHttpClient, TOKEN } from '../v1/http-client.ts';
import { type ApiServer, openApiServer } from './open-api-server.ts';

const SUMMARY = '/api/observability/summary';

const NOTHING = {
  generated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  window_minutes: 60,
  total_security_events: 0,
  total_errors: 0,
  security_event_counters: [],
  error_taxonomy_counters: [],
  alert_status: 'nominal',
  alerts: [],
};

async function repeat(times: number, call: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < times; count += 1) await call();
}

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`the summary on ${engine.name}`, () =>
    describeSummary(engine),
  );
}

function describeSummary(engine: TestEngine): void {
  test('counts nothing where nothing went wrong', async () => {
    const server = await openApiServer({ engine });

    const answer = await server.call(SUMMARY);

    expect([answer.status, answer.body]).toEqual([200, NOTHING]);
  });

  test('counts each error of /api once, and refused callers wherever they come', async () => {
    const server = await openApiServer({ engine });
    await server.call('/api/nothing');
    await server.call(`${SUMMARY}?window_minutes=0`);
    await server.call('/api/nothing', { anonymous: true });
    await server.call('/v1/runs', { anonymous: true });
    await server.call('/api/admin/status', { anonymous: true });
    await server.call('/v1/nothing');

    const answer = await server.call(`${SUMMARY}?window_minutes=5`);

    expect(answer.body).toEqual({
      ...NOTHING,
      window_minutes: 5,
      total_security_events: 3,
      total_errors: 5,
      security_event_counters: [{ key: 'auth_denied', count: 3 }],
      error_taxonomy_counters: [
        { key: 'auth', count: 3 },
        { key: 'resource', count: 1 },
        { key: 'validation', count: 1 },
      ],
      alert_status: 'watch',
    });
  });

  test('raises alerts, and says what to do about them', async () => {
    const server = await openApiServer({ engine, env: { API_RATE_LIMIT_MAX: '1' } });
    await repeat(5, () => server.call('/v1/runs', { anonymous: true }));
    await server.call('/v1/runs');
    await repeat(3, () => server.call('/api/nothing'));

    const { observability } = server.runtime;
    const summary = await observability.readSummary(60);

    expect([summary.alertStatus, summary.securityEvents, summary.alerts]).toEqual([
      'critical',
      [
        { kind: 'security_event', key: 'auth_denied', times: 5 },
        { kind: 'security_event', key: 'rate_limit_denied', times: 3 },
      ],
      [
        {
          key: 'auth_denied',
          times: 5,
          threshold: 5,
          message: 'callers come with a missing or a wrong token',
          recoveryAction:
            'Look in the log for auth_denied to see who they are; set a new token if one may have leaked.',
        },
        {
          key: 'throttle',
          times: 3,
          threshold: 3,
          message: 'requests are refused because there are too many',
          recoveryAction: 'Slow the caller down, or raise the limit that the log names.',
        },
      ],
    ]);
  });

  test('remembers over a restart', async () => {
    const env = await engine.openEnv();
    const first = await openApiServer({ engine: { ...engine, openEnv: async () => env } });
    await first.call('/v1/runs', { anonymous: true });
    await first.close();

    const second = await reopen(first, env);
    await second.call('/v1/runs', { anonymous: true });

    expect((await second.call(SUMMARY)).body).toMatchObject({
      security_event_counters: [{ key: 'auth_denied', count: 2 }],
    });
    await second.close();
  });

  test('takes notes of other parts', async () => {
    const server = await openApiServer({ engine });
    const { securityEvents } = server.runtime.observability;

    securityEvents.note('project_budget_overrun', { outcome: 'warning' });

    expect((await server.call(SUMMARY)).body).toMatchObject({
      total_security_events: 1,
      total_errors: 0,
      security_event_counters: [{ key: 'project_budget_overrun', count: 1 }],
    });
  });
}

async function reopen({ root }: ApiServer, env: Readonly<Record<string, string>>) {
  const server = await openServer({
    root,
    env: { API_BEARER_TOKEN: TOKEN, LOG_LEVEL: 'silent', ...env },
    flags: { port: '0' },
    writer: 'inline',
  });
  return { ...server, ...createHttpClient(Number(new URL(server.url).port)) };
}

test.each(['0', '-5', 'NaN', 'Infinity', '1e3', ' 5', 'sixty', ''])(
  'refuses a window of %j',
  async (window) => {
    const server = await openApiServer();

    const answer = await server.call(`${SUMMARY}?window_minutes=${encodeURIComponent(window)}`);

    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: {
          code: 'validation_error',
          message: 'window_minutes must be a number of minutes above 0',
          details: {
            taxonomy: 'validation',
            recovery_action: 'Correct what the message names and send the request again.',
          },
        },
      },
    ]);
  },
);

test.each([
  ['0.5', 1],
  ['90', 90],
  ['99999', 1440],
])('brings a window of %s to %s', async (window, minutes) => {
  const server = await openApiServer();

  const answer = await server.call(`${SUMMARY}?window_minutes=${window}`);

  expect(answer.body).toEqual({ ...NOTHING, window_minutes: minutes });
});

test('says in the log who was refused and why, without the token', async () => {
  const lines: [object, string][] = [];
  const keep = (fields: object, message: string) => void lines.push([fields, message]);
  const logger = { debug() {}, info() {}, warn: keep, error: keep };
  const server = await openApiServer({ logger });

  await server.call('/api/nothing', {
    headers: { authorization: 'Bearer hush', 'x-request-id': 'r1' },
  });

  expect(lines).toEqual([
    [
      {
        surface: 'api',
        request_id: 'r1',
        reason: 'invalid bearer token',
        event_type: 'security',
        event: 'auth_denied',
        outcome: 'denied',
      },
      'security event',
    ],
  ]);
});
