import { expect, test } from 'vitest';
import {
  attach,
  ISO,
  invalid,
  NO_PRINCIPAL,
  NOT_OWNED,
  openWorkerServer,
  outcomeOf,
  STOPPED,
  UNKNOWN,
  WORKERS,
} from './worker-server.ts';

test('stores what its owner reports', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);
  const payload = { method: 'ios/handshake', handshake_id: 'h_1' };

  const nested = await server.post(`${path}/events`, {
    event: { event_type: 'worker.event', payload },
  });
  const flat = await server.post(`${path}/events`, { event_type: 'worker.heartbeat' });

  const receipt = { worker_id: 'codexw_1', occurred_at: ISO };
  expect([nested.status, nested.body]).toEqual([
    202,
    { data: { ...receipt, seq: 2, event_type: 'worker.event', payload } },
  ]);
  expect([flat.status, flat.body]).toEqual([
    202,
    { data: { ...receipt, seq: 3, event_type: 'worker.heartbeat', payload: {} } },
  ]);
});

test('ends a worker that is reported as stopped or failed', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);

  const reported = await server.post(`${path}/events`, {
    event: { event_type: 'worker.failed', payload: { reason: 'out of memory' } },
  });
  const after = await server.get(`${path}/snapshot`);
  const late = await server.post(`${path}/events`, { event: { event_type: 'worker.event' } });
  await server.post(WORKERS, { worker_id: 'codexw_1' });
  await server.post(`${path}/events`, { event: { event_type: 'worker.stopped' } });
  const stopped = await server.post(`${path}/events`, { event: { event_type: 'worker.event' } });

  expect(reported.body).toMatchObject({ data: { seq: 2, payload: { reason: 'out of memory' } } });
  expect(after.body).toMatchObject({ data: { status: 'failed', heartbeat_state: 'failed' } });
  const message = 'worker is failed; create or reattach to resume';
  expect(outcomeOf(late)).toEqual([409, { code: 'conflict', message }]);
  expect(outcomeOf(stopped)).toEqual(STOPPED);
});

test('refuses in the order of the contract', async () => {
  const server = await openWorkerServer();
  const path = await attach(server);

  const answers = [
    await server.post(`${path}/events`, {}, { nobody: true }),
    await server.post(`${WORKERS}/codexw_2/events`, {}, { userId: 7 }),
    await server.post(`${path}/events`, {}, { userId: 7 }),
    await server.post(`${path}/events`, {}),
    await server.post(`${path}/events`, { event: { event_type: 'run.started' } }),
    await server.post(`${path}/events`, { event: { event_type: 'worker.' } }),
    await server.post(`${path}/events`, { event: { event_type: 'worker.x', payload: 'text' } }),
  ];

  expect(answers.map(outcomeOf)).toEqual([
    NO_PRINCIPAL,
    UNKNOWN,
    NOT_OWNED,
    invalid('event.event_type is required'),
    invalid('event.event_type must start with worker.'),
    invalid('event.event_type must start with worker.'),
    invalid('event.payload must be an object'),
  ]);
});
