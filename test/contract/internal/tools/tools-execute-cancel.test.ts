import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { RunId } from '../../../../src/core/ids.ts';
import type { JsonObject } from '../../../../src/core/json.ts';
import {
  ADD_COMMENT,
  GET_ISSUE,
  type IntegrationServer,
  openIntegrationServer,
} from '../integration-server.ts';
import { json } from '../service-server.ts';

const RUN = 'run_123' as RunId;

/** Makes the call and waits until the service has it and does not answer. */
async function begin(server: IntegrationServer, body: JsonObject) {
  const asked = new Promise<ServerResponse>((resolve) => {
    server.github.answer((_, response) => resolve(response));
  });
  const ending = server.execute(body);
  const response = await asked;
  return { ending, response, hungUp: once(response, 'close') };
}

const reply = (response: ServerResponse) =>
  json(201, { id: 99 })({ method: 'POST', path: '', headers: {}, body: '' }, response);

const statusesOf = async ({ runtime }: IntegrationServer) =>
  (await runtime.storage.effects.list({ limit: 10 })).effects.map(({ status }) => status);

test('breaks a read off when its run is cancelled', async () => {
  const server = await openIntegrationServer();
  const { ending, hungUp } = await begin(server, GET_ISSUE);

  const { status } = await server.post('/runs/run_123/cancel', { thread_id: 'thread_abc' });
  await hungUp;
  const answer = await ending;
  const replayed = await server.execute({ ...GET_ISSUE, mode: 'replay' });

  expect(status).toBe(202);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    data: {
      state: 'failed',
      reason_code: 'coding_failed.provider_error',
      message: 'run run_123 was cancelled',
      provider_result: { error: { code: 'cancelled' } },
      idempotent_replay: false,
    },
  });
  const { data } = answer.body as { data: object };
  expect(replayed.body).toEqual({ data: { ...data, idempotent_replay: true } });
});

test('breaks a write off when its run is cancelled elsewhere, and does not know about it', async () => {
  const server = await openIntegrationServer();
  const { ending, hungUp } = await begin(server, ADD_COMMENT);

  await server.runtime.runs.cancel({ runId: RUN, reason: 'from the console', actor: 'user' });
  await hungUp;

  expect((await ending).body).toMatchObject({
    data: {
      state: 'failed',
      effect: 'unknown',
      provider_result: { error: { code: 'outcome_unknown', effect: 'unknown' } },
    },
  });
  expect(await statusesOf(server)).toEqual(['unknown']);
});

test('lets a call end that its run did not wait for, and says so in the ledger', async () => {
  const server = await openIntegrationServer();
  const { ending, response } = await begin(server, ADD_COMMENT);
  const frame = { thread_id: 'thread_abc', frame_id: 'f1', type: 'finish', payload: {} };
  await server.post('/runs/run_123/frames', frame);
  await server.runtime.awaitEnd(RUN);
  const before = await statusesOf(server);

  reply(response);

  expect((await ending).body).toMatchObject({ data: { state: 'succeeded' } });
  const { effects } = await server.runtime.storage.effects.list({ limit: 10 });
  expect(before).toEqual(['unknown']);
  expect(effects).toMatchObject([
    { status: 'confirmed', resolution: { by: 'system', note: 'it ended after its run' } },
  ]);
  const types = (await server.runtime.events(RUN)).map(({ type }) => type);
  expect(types.at(-1)).toBe('run.completed');
});

test('leaves a call alone while its run goes on', async () => {
  const server = await openIntegrationServer();
  const { ending, response } = await begin(server, ADD_COMMENT);

  const frame = { thread_id: 'thread_abc', frame_id: 'f1', type: 'note', payload: {} };
  await server.post('/runs/run_123/frames', frame);
  reply(response);

  expect((await ending).body).toMatchObject({ data: { state: 'succeeded' } });
  expect(await statusesOf(server)).toEqual(['confirmed']);
});
