import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { verifyChain } from '../../../src/core/events/hash-chain.ts';
import { createAudit } from '../../../src/core/records/audit.ts';
import { decodeAuditLine } from '../../../src/core/records/audit-line.ts';
import { createGate } from '../../../src/core/runs/gate.ts';
import { createAuditReader } from '../../../src/storage/files/create-audit-reader.ts';
import { openEvents } from '../v1/event-reader.ts';
import { type AdminServer, openAdminServer, seal, startRun } from './test-admin-server.ts';

const AUDIT = '/api/admin/audit';
const VERIFY = `${AUDIT}/verify`;

const CLEAN = {
  verified: true,
  complete: true,
  runs_count: 2,
  pruned_runs_count: 0,
  events_count: 4,
  audit_files_count: 0,
  audit_lines_count: 0,
  pending_runs_count: 2,
  accepted_losses_count: 0,
  signatures: {
    heads_count: 0,
    signed_lines_count: 0,
    unsigned_lines_count: 0,
    signed_through: null,
    fingerprints: [],
  },
  node_id: null,
  held_elsewhere: [],
  faults_count: 0,
  first_fault: null,
  faults: [],
};

test('verifies all runs, or one', async () => {
  const server = await openAdminServer();
  await startRun(server, 'run_1');
  await startRun(server, 'run_2');

  const all = await server.post(VERIFY, undefined);
  const one = await server.post(VERIFY, { run_id: 'run_1' });

  expect([all.status, all.body]).toEqual([200, CLEAN]);
  expect([one.status, one.body]).toEqual([
    200,
    { ...CLEAN, runs_count: 1, events_count: 2, pending_runs_count: 1, signatures: null },
  ]);
});

test('reports a line that somebody put into an audit file', async () => {
  const server = await openAdminServer();
  const directory = '.openclawssy/agents/agent_default/audit';
  await mkdir(join(server.root, directory), { recursive: true });
  await appendFile(join(server.root, directory, '2026-02-15.jsonl'), 'not ours\n');

  const answer = await server.post(VERIFY, {});

  const fault = {
    where: 'audit_file',
    run_id: null,
    seq: null,
    reason: 'torn',
    file: `${directory}/2026-02-15.jsonl`,
    line: 1,
  };
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      ...CLEAN,
      verified: false,
      runs_count: 0,
      pruned_runs_count: 0,
      events_count: 0,
      audit_files_count: 1,
      audit_lines_count: 1,
      pending_runs_count: 0,
      signatures: { ...CLEAN.signatures, unsigned_lines_count: 1 },
      faults_count: 1,
      first_fault: fault,
      faults: [fault],
    },
  ]);
});

test.each<[body: unknown, status: number, code: string, message: string]>([
  [{ run_id: 'run_none' }, 404, 'run.not_found', 'run run_none does not exist'],
  [{ run_id: '../x' }, 400, 'invalid.request', 'run_id must be 1 to 128 letters, digits, _ or -'],
  [{ all: true }, 400, 'invalid.request', 'unknown field: all'],
])('refuses %j', async (body, status, code, message) => {
  const server = await openAdminServer();

  const answer = await server.post(VERIFY, body);

  expect([answer.status, answer.body]).toEqual([status, { error: { code, message } }]);
});

test('one check at a time, and it stops when its time is over', async () => {
  const server = await openAdminServer();
  await startRun(server, 'run_1');
  const { records, events } = server.storage;
  const held = createGate();
  const files = createAuditReader({ root: server.root });
  const audit = createAudit({
    records,
    events,
    runs: server.storage.runs,
    clock: server.clock,
    maxVerifyMs: 1_000,
    files: {
      ...files,
      async check(request) {
        await held.wait();
        const isComplete = request.signal?.aborted !== true;
        return { ...(await files.check(request)), isComplete };
      },
    },
  });

  const first = audit.verify({});
  const second = audit.verify({});
  await expect(second).rejects.toMatchObject({ code: 'conflict' });
  server.clock.advance(1_000);
  held.open();

  expect((await first).files.isComplete).toBe(false);
  held.open();
  expect((await audit.verify({})).files.isComplete).toBe(true);
  expect(server.clock.pendingTimers).toBe(0);
});

interface Page {
  readonly entries: readonly { readonly run_id: string; readonly seq: number }[];
  readonly next_cursor: string | null;
}

/** Three runs a minute apart; the second one calls a tool, and streams what it says. */
async function openRecorded(): Promise<AdminServer> {
  const server = await openAdminServer();
  await startRun(server, 'run_1');
  await server.clock.advance(60_000);
  const lease = await startRun(server, 'run_2');
  await server.storage.runs.append(lease, [
    seal({ type: 'model.delta', actor: 'model', payload: { text: 'Hm' } }),
    seal({ type: 'tool.call', actor: 'model', payload: { tool: 'mail.send', to: 'Ana' } }),
  ]);
  await server.clock.advance(60_000);
  await startRun(server, 'run_3');
  return server;
}

async function listed(server: AdminServer, query: string): Promise<string[]> {
  const { body } = await server.call(`${AUDIT}${query}`);
  return (body as Page).entries.map(({ run_id, seq }) => `${run_id}#${seq}`);
}

test('lists what happened in all runs, newest first, page by page', async () => {
  const server = await openRecorded();

  const first = await server.call(`${AUDIT}?limit=3`);
  const { next_cursor: cursor } = first.body as Page;
  const rest = await server.call(`${AUDIT}?limit=50&cursor=${cursor}`);

  const entry = {
    event_id: expect.stringMatching(/^evt_/),
    agent_id: 'agent_default',
    prev_hash: expect.any(String),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    redactions: [],
  };
  const [, , call] = (first.body as Page).entries;
  expect(call).toEqual({
    ...entry,
    event_type: 'tool.call',
    ts: '2026-02-15T00:01:00.000Z',
    run_id: 'run_2',
    actor: 'model',
    seq: 4,
    payload: { to: 'Ana', tool: 'mail.send' },
  });
  const names = [first, rest].map(({ body }) =>
    (body as Page).entries.map(({ run_id, seq }) => `${run_id}#${seq}`),
  );
  expect(names).toEqual([
    ['run_3#2', 'run_3#1', 'run_2#4'],
    ['run_2#2', 'run_2#1', 'run_1#2', 'run_1#1'],
  ]);
  expect((rest.body as Page).next_cursor).toBeNull();
});

test.each([
  ['?types=tool.call,model.delta', ['run_2#4', 'run_2#3']],
  ['?run_id=run_2&limit=2', ['run_2#4', 'run_2#2']],
  ['?q=ANA', ['run_2#4']],
  ['?q=run_3', ['run_3#2', 'run_3#1']],
  [`?until=2026-02-15T00:01:00Z`, ['run_1#2', 'run_1#1']],
  [`?since=2026-02-15T00:02:00%2B00:00`, ['run_3#2', 'run_3#1']],
  [
    '?agent_id=Default&since=2026-02-15T00:01:00Z&until=2026-02-15T00:02:00Z',
    ['run_2#4', 'run_2#2', 'run_2#1'],
  ],
  ['?q=nobody+said+this', []],
  ['?agent_id=nobody', []],
  ['?run_id=run_none', []],
])('%s finds what it asks for', async (query, expected) => {
  expect(await listed(await openRecorded(), query)).toEqual(expected);
});

test.each<[query: string, status: number, message: string]>([
  ['?types=run.created,nonsense', 400, 'types must name event types'],
  ['?since=yesterday', 400, 'since must be an RFC 3339 time such as 2026-02-15T10:00:00Z'],
  ['?cursor=abc', 400, 'cursor is not one that a list answered with'],
  ['?cursor=eC54', 400, 'cursor is not one that a list answered with'],
  ['?limit=201', 400, 'limit must be at most 200'],
])('refuses %s', async (query, status, message) => {
  const server = await openAdminServer();

  const answer = await server.call(`${AUDIT}${query}`);

  const { error } = answer.body as { error: { message: string } };
  expect([answer.status, error.message]).toEqual([status, message]);
});

test('the records are for whoever has the token', async () => {
  const server = await openAdminServer();

  const paths = [AUDIT, `${AUDIT}/export`, `${AUDIT}/verification`];
  const answers = await Promise.all(paths.map((path) => server.call(path, { anonymous: true })));

  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
});

test('a download has the lines of audit files, newest first', async () => {
  const server = await openRecorded();

  const answer = await server.call(`${AUDIT}/export?run_id=run_1`);

  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/x-ndjson']);
  expect(answer.headers['content-disposition']).toBe('attachment; filename="audit.jsonl"');
  const events = answer.text.trimEnd().split('\n').map(decodeAuditLine);
  expect(events.map((event) => [event?.runId, event?.seq])).toEqual([
    ['run_1', 2],
    ['run_1', 1],
  ]);
  expect(verifyChain(events.toReversed().filter((event) => event !== undefined)).ok).toBe(true);
});

test('a check can be watched', async () => {
  const server = await openAdminServer();
  await startRun(server, 'run_1');
  await startRun(server, 'run_2');

  const reader = await openEvents(server.port, `${AUDIT}/verification`);
  await vi.waitFor(() => expect(reader.text()).toContain('event: done'), { timeout: 5_000 });

  const frames = [...reader.text().matchAll(/^event: (\S+)\ndata: (.*)$/gm)].map(
    ([, event, data]) => [event, JSON.parse(data ?? '')],
  );
  expect(frames).toEqual([
    ['progress', { runs_count: 1, events_count: 2, total_runs_count: 2 }],
    ['done', CLEAN],
  ]);
  const none = await server.call(`${AUDIT}/verification?run_id=run_none`);
  expect([none.status, (none.body as { error: { code: string } }).error.code]).toEqual([
    404,
    'run.not_found',
  ]);
});
