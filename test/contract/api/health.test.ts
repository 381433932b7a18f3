import { describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/storage/sqlite/driver.ts';
import { TEST_ENGINES } from '../../support/test-engines.ts';
import { type ApiServer, openApiServer } from './open-api-server.ts';

const ANYBODY = { anonymous: true };

function unavailable(message: string, recovery: string) {
  const details = { taxonomy: 'availability', recovery_action: recovery };
  return { error: { code: 'service_unavailable', message, details } };
}

const ENDING = unavailable(
  'server is shutting down',
  'Try again in a few seconds, when the server is back.',
);

/** The runner starts behind the listener. */
function untilReady(server: ApiServer) {
  return expect
    .poll(async () => (await server.call('/health/ready', ANYBODY)).body, { timeout: 10_000 })
    .toEqual({ status: 'ready' });
}

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`health on ${engine.name}`, () => {
    test('says to anybody that it lives and that it is ready', async () => {
      const server = await openApiServer({ engine });

      await untilReady(server);
      const live = await server.call('/health/live', ANYBODY);
      const head = await server.call('/health/live', { ...ANYBODY, method: 'HEAD' });

      expect([live.status, live.text]).toEqual([200, '{"status":"ok"}']);
      expect([head.status, head.text]).toEqual([200, '']);
    });

    test('is not ready from the moment it is told to stop, and still does what it is asked', async () => {
      const server = await openApiServer({ engine });
      await untilReady(server);

      const closed = server.close({ noticeMs: 2_000 });
      const ready = await server.call('/health/ready', ANYBODY);
      const live = await server.call('/health/live', ANYBODY);
      const run = await server.post('/v1/runs', { agent_id: 'agent_default', message: 'hello' });

      expect([ready.status, ready.headers['retry-after'], ready.body]).toEqual([503, '5', ENDING]);
      expect([live.status, run.status]).toEqual([200, 202]);
      await closed;
      await expect(server.call('/health/live', ANYBODY)).rejects.toMatchObject({
        code: 'ECONNREFUSED',
      });
    });
  });
}

test('is not ready while its store does not answer, and is again when it does', async () => {
  const server = await openApiServer({ writer: 'thread' });
  await untilReady(server);
  // Another process that holds the database: whoever wants to write waits.
  const other = connect(server.runtime.loaded.paths.databaseFile, { readOnly: false });
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');

  await expect
    .poll(async () => (await server.call('/health/ready', ANYBODY)).body, { timeout: 10_000 })
    .toEqual(
      unavailable(
        'storage is unavailable: it does not answer',
        'Try again in a few seconds; if it stays so, claw doctor says why.',
      ),
    );
  const live = await server.call('/health/live', ANYBODY);
  other.exec('ROLLBACK');

  expect(live.body).toEqual({ status: 'ok' });
  await untilReady(server);
});

test('refuses what it does not know in the envelope of /api', async () => {
  const server = await openApiServer();

  const route = await server.call('/health/nothing', ANYBODY);
  const method = await server.call('/health/ready', { ...ANYBODY, method: 'POST' });
  const query = await server.call('/health/live?verbose=1', ANYBODY);

  expect([route.status, route.body]).toEqual([
    404,
    {
      error: {
        code: 'not_found',
        message: 'route GET /health/nothing does not exist',
        details: {
          taxonomy: 'resource',
          recovery_action:
            'Check the path; GET /openapi.json names every route, and /docs shows them.',
          thing: 'route',
        },
      },
    },
  ]);
  expect([method.status, method.headers['allow'], method.body]).toEqual([
    405,
    'GET, HEAD',
    {
      error: {
        code: 'method_not_allowed',
        message: 'method POST is not allowed for /health/ready',
        details: {
          taxonomy: 'validation',
          recovery_action: 'Use one of the methods in details.allow.',
          allow: ['GET', 'HEAD'],
        },
      },
    },
  ]);
  expect([query.status, query.body]).toEqual([
    400,
    {
      error: {
        code: 'validation_error',
        message: 'unknown query parameter: verbose',
        details: {
          taxonomy: 'validation',
          recovery_action: 'Correct what the message names and send the request again.',
        },
      },
    },
  ]);
});
