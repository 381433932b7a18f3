import { expect, test } from 'vitest';
import { toStoredKey } from '../../../src/core/reliability/idempotency/idempotency-key.ts';
import { type AdminServer, openAdminServer, START } from './test-admin-server.ts';

const CLOSED = { status: 'closed', failures: 0, measured: 0, failed: 0, retry_in_ms: null };

const MAIL = {
  name: 'mail.send',
  effect: 'write',
  idempotent: false,
  guarded: false,
  off: null,
  circuit_breaker: { tool: 'mail.send', ...CLOSED },
  source: 'test/mail.ts',
};

const TIME = {
  name: 'time.now',
  effect: 'read',
  idempotent: true,
  guarded: true,
  off: null,
  circuit_breaker: { tool: 'time.now', ...CLOSED },
  source: 'test/time.ts',
};

test('lists the tools with their circuits', async () => {
  const server = await openAdminServer();

  const answer = await server.call('/api/admin/tools');

  expect([answer.status, answer.body]).toEqual([200, { tools: [MAIL, TIME] }]);
});

test('shows a tool by name and by alias', async () => {
  const server = await openAdminServer();

  const byName = await server.call('/api/admin/tools/mail.send');
  const byAlias = await server.call('/api/admin/tools/MailTool');

  expect([byName.status, byName.body]).toEqual([
    200,
    {
      ...MAIL,
      description: 'Sends a mail.',
      aliases: ['MailTool'],
      dedupe: true,
      sends_key: true,
      traits: ['outward_effect'],
      required_mode: 'full',
      limits: { timeout_ms: 30_000, max_output_bytes: 65_536 },
      reliability: {
        mode: 'read_only',
        breaker: {
          failure_threshold: 5,
          failure_rate: 0.5,
          window_size: 100,
          reset_timeout_ms: 30_000,
          half_open_concurrency: 1,
          successes_to_close: 1,
          trial_lease_ms: 60_000,
        },
        retry: {
          max_retries: 1,
          initial_delay_ms: 500,
          max_delay_ms: 5_000,
          deadline_ms: 120_000,
        },
        idempotency: {
          success_ttl_ms: 86_400_000,
          failure_ttl_ms: 60_000,
          lease_ms: 30_000,
          duplicates: 'wait',
          max_wait_ms: 30_000,
          max_result_bytes: 262_144,
          key_window_ms: 3_600_000,
        },
      },
      input_schema: {
        type: 'object',
        properties: { to: { type: 'string' } },
        required: ['to'],
        additionalProperties: false,
      },
    },
  ]);
  expect(byAlias.body).toEqual(byName.body);
});

test('opens a circuit for good, and closes it again', async () => {
  const server = await openAdminServer();
  const path = '/api/admin/tools/mail.send/circuit-breaker';

  const opened = await server.call(`${path}/open`, { method: 'POST' });
  server.clock.advance(3_600_000);
  const seen = await server.call(path);
  const listed = await server.call('/api/admin/tools');
  const reset = await server.post(`${path}/reset`, {});

  const open = { tool: 'mail.send', ...CLOSED, status: 'forced_open' };
  expect([opened.status, opened.body]).toEqual([200, open]);
  expect([seen.status, seen.body]).toEqual([200, open]);
  expect(listed.body).toEqual({ tools: [{ ...MAIL, circuit_breaker: open }, TIME] });
  expect([reset.status, reset.body]).toEqual([200, { tool: 'mail.send', ...CLOSED }]);
  expect(await server.storage.breakers.find('mail.send')).toMatchObject({
    state: { status: 'closed' },
  });
});

test('shows a circuit that opened in a process that is gone', async () => {
  const server = await openAdminServer();
  const retryAtMs = server.clock.nowMs() + 20_000;
  await server.storage.breakers.replace('mail.send', 0, { status: 'open', epoch: 1, retryAtMs });

  const seen = await server.call('/api/admin/tools/mail.send/circuit-breaker');
  const listed = await server.call('/api/admin/tools');

  const open = { tool: 'mail.send', ...CLOSED, status: 'open', retry_in_ms: 20_000 };
  expect(seen.body).toEqual(open);
  expect(listed.body).toEqual({ tools: [{ ...MAIL, circuit_breaker: open }, TIME] });
});

async function remember(server: AdminServer, key: string): Promise<void> {
  const storedKey = toStoredKey('mail.send', key);
  const { idempotency } = server.storage;
  const claim = { storedKey, toolId: 'mail.send', key, digest: 'd1', claimId: `claim-${key}` };
  await idempotency.claim({ ...claim, leaseMs: 30_000, ttlMs: 60_000, mayTakeOver: false });
  await idempotency.settle(storedKey, claim.claimId, {
    ttlMs: 60_000,
    state: 'COMPLETED',
    result: '{"secret":"of the tool"}',
  });
}

const KEY = {
  state: 'COMPLETED',
  payload_digest: 'd1',
  has_result: true,
  not_kept: null,
  error_code: null,
  created_at: START,
  updated_at: START,
  lease_until: null,
  expires_at: '2026-02-15T00:01:00.000Z',
};

test('lists idempotency keys without results, page by page', async () => {
  const server = await openAdminServer();
  await remember(server, 'a:1');
  await remember(server, 'b');

  const first = await server.call('/api/admin/tools/mail.send/idempotency?limit=1');
  const { next_cursor: cursor } = first.body as { next_cursor: string };
  const second = await server.call(
    `/api/admin/tools/MailTool/idempotency?limit=10&cursor=${cursor}`,
  );

  expect([first.status, first.body]).toEqual([
    200,
    { tool: 'mail.send', keys: [{ key: 'a:1', ...KEY }], next_cursor: expect.any(String) },
  ]);
  expect([second.status, second.body]).toEqual([
    200,
    { tool: 'mail.send', keys: [{ key: 'b', ...KEY }], next_cursor: null },
  ]);
});

test('flushes one key, then the rest', async () => {
  const server = await openAdminServer();
  for (const key of ['a', 'b', 'c']) await remember(server, key);
  const path = '/api/admin/tools/mail.send/idempotency/flush';

  const one = await server.post(path, { key: 'b' });
  const again = await server.post(path, { key: 'b' });
  const rest = await server.call(path, { method: 'POST' });

  expect([one.status, one.body]).toEqual([200, { tool: 'mail.send', flushed: 1 }]);
  expect([again.status, again.body]).toEqual([200, { tool: 'mail.send', flushed: 0 }]);
  expect([rest.status, rest.body]).toEqual([200, { tool: 'mail.send', flushed: 2 }]);
});

test('reports what the layer would have done', async () => {
  const server = await openAdminServer();
  const decided = { type: 'shadow.decided', toolId: 'mail.send' } as const;

  const before = await server.call('/api/admin/tools/reliability-report');
  server.tally.observe({ ...decided, decision: 'would_retry' });
  server.clock.advance(1_000);
  server.tally.observe({ ...decided, decision: 'would_retry' });
  server.tally.observe({ ...decided, decision: 'would_replay' });
  const after = await server.call('/api/admin/tools/reliability-report');

  expect([before.status, before.body]).toEqual([
    200,
    { mode: 'read_only', since: null, tools: [] },
  ]);
  expect([after.status, after.body]).toEqual([
    200,
    {
      mode: 'read_only',
      since: START,
      tools: [
        {
          tool: 'mail.send',
          total: 3,
          decisions: {
            would_refuse_input: 0,
            would_replay: 1,
            would_wait: 0,
            would_conflict: 0,
            would_cut_off: 0,
            would_retry: 2,
            would_time_out: 0,
          },
          last_at: '2026-02-15T00:00:01.000Z',
        },
      ],
    },
  ]);
});

test.each([
  ['GET', '/api/admin/tools/no.such'],
  ['GET', '/api/admin/tools/no.such/circuit-breaker'],
  ['POST', '/api/admin/tools/no.such/circuit-breaker/open'],
  ['POST', '/api/admin/tools/no.such/circuit-breaker/reset'],
  ['GET', '/api/admin/tools/no.such/idempotency'],
  ['POST', '/api/admin/tools/no.such/idempotency/flush'],
])('answers 404 to %s %s', async (method, path) => {
  const server = await openAdminServer();

  const answer = await server.call(path, { method });

  expect([answer.status, answer.body]).toEqual([
    404,
    { error: { code: 'tool.not_found', message: 'tool no.such does not exist' } },
  ]);
});
