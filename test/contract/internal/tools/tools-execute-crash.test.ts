import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { RunId } from '../../../../src/core/ids.ts';
import type { JsonObject } from '../../../../src/core/json.ts';
import { digestPayload } from '../../../../src/core/reliability/idempotency/key-digests.ts';
import { decodeExecute } from '../../../../src/surfaces/internal/tool-codec.ts';
import { bundleScript } from '../../../support/bundle-script.ts';
import {
  ADD_COMMENT,
  GET_ISSUE,
  type IntegrationServer,
  openIntegrationServer,
  SEND_EMAIL,
} from '../integration-server.ts';
import { json } from '../service-server.ts';
import { USER } from '../signed-client.ts';

const SCRIPT = await bundleScript(new URL('execute-process.ts', import.meta.url));
const RUN = 'run_123' as RunId;

/** Makes the call in a process of its own, which is killed at the place. */
async function dieAt(server: IntegrationServer, place: string, body: JsonObject): Promise<void> {
  const request = JSON.stringify({ ...decodeExecute(body), userId: USER });
  const args = [SCRIPT, server.runtime.root, server.github.url, server.resend.url, place, request];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [code, signal] = await once(child, 'exit');
  expect([code, signal]).toEqual([null, 'SIGKILL']);
}

const typesOf = async ({ runtime }: IntegrationServer) =>
  (await runtime.events(RUN)).slice(1).map(({ type }) => type);

test.each([
  ['tool.after_intent', 0],
  ['tool.after_effect', 1],
])('says that nobody knows about a comment whose process died at %s', async (place, requests) => {
  const server = await openIntegrationServer();
  server.github.answer(json(201, { id: 99 }));
  await dieAt(server, place, ADD_COMMENT);

  const { body } = await server.execute(ADD_COMMENT);
  const again = await server.execute(ADD_COMMENT);

  expect(body).toMatchObject({
    data: {
      state: 'failed',
      decision: 'denied',
      reason_code: 'coding_failed.provider_error',
      effect: 'unknown',
      provider_result: { error: { code: 'outcome_unknown', effect: 'unknown' } },
      idempotent_replay: false,
    },
  });
  expect(again.body).toMatchObject({ data: { effect: 'unknown', idempotent_replay: true } });
  expect(server.github.requests).toHaveLength(requests);
  const { effects } = await server.runtime.storage.effects.list({ limit: 10 });
  expect(effects.map(({ status }) => status)).toEqual(['unknown']);
  expect(await typesOf(server)).toEqual(['tool.call', 'policy.decision', 'tool.result']);
});

test('sends a mail again under its key after a crash', async () => {
  const server = await openIntegrationServer();
  await dieAt(server, 'tool.after_effect', SEND_EMAIL);

  const { body } = await server.execute(SEND_EMAIL);

  expect(body).toMatchObject({ data: { state: 'succeeded', provider_result: { id: 'email_1' } } });
  const keys = server.resend.requests.map(({ headers }) => headers['idempotency-key']);
  const { effects } = await server.runtime.storage.effects.list({ limit: 10 });
  expect(keys).toEqual([effects[0]?.id, effects[0]?.id]);
  expect(effects.map(({ status }) => status)).toEqual(['confirmed']);
});

test('does not know about a mail whose process died and that is refused when it is sent again', async () => {
  const server = await openIntegrationServer();
  await dieAt(server, 'tool.after_effect', SEND_EMAIL);
  server.resend.answer(json(401, { message: 'who are you' }));

  const { body } = await server.execute(SEND_EMAIL);

  expect(body).toMatchObject({
    data: {
      state: 'failed',
      effect: 'unknown',
      provider_result: { error: { code: 'outcome_unknown', status: 401, effect: 'unknown' } },
    },
  });
  const { effects } = await server.runtime.storage.effects.list({ limit: 10 });
  expect(effects.map(({ status }) => status)).toEqual(['unknown']);
});

test('simply reads again after a crash, under one call in the log', async () => {
  const server = await openIntegrationServer();
  await dieAt(server, 'tool.after_effect', GET_ISSUE);

  const { body } = await server.execute(GET_ISSUE);

  expect(body).toMatchObject({ data: { state: 'succeeded', idempotent_replay: false } });
  expect(server.github.requests).toHaveLength(2);
  expect((await typesOf(server)).filter((type) => type !== 'policy.decision')).toEqual([
    'tool.call',
    'tool.result',
  ]);
});

test('takes the end of a call from the log when its receipt was not stored', async () => {
  const server = await openIntegrationServer();
  server.github.answer(json(201, { id: 99, body: 'Done.' }));
  await dieAt(server, 'before_receipt', ADD_COMMENT);

  const { body } = await server.execute(ADD_COMMENT);
  const replayed = await server.execute({ ...ADD_COMMENT, mode: 'replay' });

  const { data } = body as { data: object };
  expect(data).toMatchObject({
    state: 'succeeded',
    provider_result: { id: 99, body: 'Done.' },
    receipt: {
      result_hash: digestPayload({ id: 99, body: 'Done.' }),
      request: {
        operation: 'add_issue_comment',
        input: { repository: 'OpenAgentsInc/openagents', issue_number: 1747, body: 'Done.' },
      },
    },
    idempotent_replay: false,
  });
  expect(replayed.body).toEqual({ data: { ...data, idempotent_replay: true } });
  expect(server.github.requests).toHaveLength(1);
  expect(await typesOf(server)).toEqual(['tool.call', 'policy.decision', 'tool.result']);
});
