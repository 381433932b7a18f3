import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAudit } from '../../../src/core/records/audit.ts';
import { createGate } from '../../../src/core/runs/gate.ts';
import { createAuditReader } from '../../../src/storage/files/create-audit-reader.ts';
import { openAdminServer, startRun } from './test-admin-server.ts';

const VERIFY = '/api/admin/audit/verify';

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
