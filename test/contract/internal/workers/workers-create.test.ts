import { expect, test } from 'vitest';
import {
  attach,
  invalid,
  NO_PRINCIPAL,
  NOT_OWNED,
  openWorkerServer,
  outcomeOf,
  PROCESS,
  WORKERS,
} from './worker-server.ts';

const receipt = (fields: object = {}) => ({
  data: {
    workerId: 'codexw_1',
    status: 'running',
    latestSeq: 1,
    idempotentReplay: false,
    ...fields,
  },
});

test('creates a worker once and answers the same again', async () => {
  const server = await openWorkerServer();
  const body = {
    worker_id: 'codexw_1',
    workspace_ref: 'gs://tenant-workspaces/u_42/project-a',
    codex_home_ref: 'gs://tenant-codex-home/u_42',
    adapter: 'in_memory',
    metadata: { tenant_id: 'u_42' },
  };

  const first = await server.post(WORKERS, body);
  const again = await server.post(WORKERS, { ...body, workspace_ref: 'other' });

  expect([first.status, first.body]).toEqual([202, receipt()]);
  expect([again.status, again.body]).toEqual([200, receipt({ idempotentReplay: true })]);
});

test('needs no body, and names the worker then', async () => {
  const server = await openWorkerServer();

  const answers = [
    await server.call(WORKERS, { method: 'POST' }),
    await server.post(WORKERS, {}, { guestScope: 'visitor-1' }),
    await server.post(WORKERS, { worker_id: null, metadata: null, adapter: null }),
  ];

  const named = receipt({ workerId: expect.stringMatching(/^codexw_[0-9a-z]{26}$/) });
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    answers.map(() => [202, named]),
  );
});

test('creates one worker among ten who ask at the same moment', async () => {
  const server = await openWorkerServer();

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => server.post(WORKERS, { worker_id: 'codexw_1' })),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 202]);
});

test('attaches a stopped worker again, and goes on with its log', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  await server.post(`${path}/stop`, {});

  const again = await server.post(WORKERS, { worker_id: 'codexw_1' });

  expect([again.status, again.body]).toEqual([202, receipt({ latestSeq: 3 })]);
  const stream = await server.stream(`${path}/stream?cursor=2&tail_ms=1`);
  await stream.ended;
  expect(stream.frames().map(({ data }) => data)).toEqual([
    expect.objectContaining({
      seq: 3,
      eventType: 'worker.started',
      payload: { reason: 'reattach', adapter: 'in_memory' },
    }),
  ]);
});

test('starts a configured program, also when it is the only one and not named', async () => {
  const server = await openWorkerServer(PROCESS);

  const named = await server.post(WORKERS, {
    worker_id: 'codexw_1',
    adapter: 'process',
    command: 'example',
  });
  const only = await server.post(WORKERS, { worker_id: 'codexw_2', adapter: 'process' });

  expect([named.status, named.body]).toEqual([202, receipt()]);
  expect([only.status, only.body]).toEqual([202, receipt({ workerId: 'codexw_2' })]);
});

test('answers with a failed worker when its program can not be started', async () => {
  const server = await openWorkerServer({
    process: { enabled: true, commands: { gone: { command: '/no/such/program' } } },
  });

  const failed = await server.post(WORKERS, { worker_id: 'codexw_1', adapter: 'process' });
  const again = await server.post(WORKERS, { worker_id: 'codexw_1' });

  expect([failed.status, failed.body]).toEqual([202, receipt({ status: 'failed' })]);
  expect([again.status, again.body]).toEqual([202, receipt({ status: 'failed', latestSeq: 2 })]);
  const stream = await server.stream(`${WORKERS}/codexw_1/stream?cursor=0&tail_ms=1`);
  await stream.ended;
  expect(stream.frames()[0]?.data).toMatchObject({
    eventType: 'worker.failed',
    payload: { reason: 'start_failed', message: 'command gone could not be started (ENOENT)' },
  });
});

test('starts no program while that is off, and none that is not configured', async () => {
  const off = await openWorkerServer();
  const on = await openWorkerServer(PROCESS);

  const answers = [
    await off.post(WORKERS, { adapter: 'process', command: 'example' }),
    await on.post(WORKERS, { adapter: 'process', command: 'other' }),
    await on.post(WORKERS, { adapter: 'process', command: '__proto__' }),
    await on.post(WORKERS, { adapter: 'in_memory', command: 'example' }),
  ];

  const message = 'adapter process is off; an operator can turn it on with workers.process.enabled';
  expect(answers.map(outcomeOf)).toEqual([
    [403, { code: 'forbidden', message }],
    invalid('command must be one of example'),
    invalid('command must be one of example'),
    invalid('adapter in_memory starts no command'),
  ]);
});

test('attaches no more workers of one principal than it may', async () => {
  const server = await openWorkerServer({ max_workers: 2 });
  await server.post(WORKERS, {});
  await server.post(WORKERS, {});

  const full = await server.post(WORKERS, {});
  const other = await server.post(WORKERS, {}, { userId: 7 });

  const message = 'the principal has 2 workers attached already; stop one first';
  expect(outcomeOf(full)).toEqual([429, { code: 'rate_limited', message }]);
  expect(other.status).toBe(202);
});

test('refuses in the order of the contract', async () => {
  const server = await openWorkerServer();
  await attach(server);

  const answers = [
    await server.post(WORKERS, { worker_id: '!' }, { nobody: true }),
    await server.post(WORKERS, {}, { userId: 0 }),
    await server.post(WORKERS, { worker_id: '!' }),
    await server.post(WORKERS, { adapter: 'desktop' }),
    await server.post(WORKERS, { metadata: [] }),
    await server.post(WORKERS, { metadata: { text: 'x'.repeat(17_000) } }),
    await server.post(WORKERS, { workspace_ref: 'x'.repeat(256) }),
    await server.post(WORKERS, []),
    await server.post(WORKERS, { worker_id: 'codexw_1' }, { userId: 7 }),
    await server.post(WORKERS, { worker_id: 'codexw_1' }, { guestScope: '42' }),
  ];

  expect(answers.map(outcomeOf)).toEqual([
    NO_PRINCIPAL,
    NO_PRINCIPAL,
    invalid('worker_id must be 3 to 160 letters, digits, ., _, : or -'),
    invalid('adapter must be one of in_memory, process'),
    invalid('metadata must be an object'),
    invalid('metadata must be at most 16384 characters of JSON'),
    invalid('workspace_ref must be at most 255 characters'),
    invalid('request body must be a JSON object'),
    NOT_OWNED,
    NOT_OWNED,
  ]);
});
