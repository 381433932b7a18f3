import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { CliContext } from '../../program/context.ts';
import { checkServer } from './doctor-server-checks.ts';

/** Says the same to whoever asks how it is. */
async function listen(status: number, body: object): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function checkAt(url: string) {
  const parts = { findServer: async () => ({ url, token: 't' }) };
  return checkServer({ parts, root: '/' } as unknown as CliContext);
}

test('a server that is there and can not serve is told with its reason', async () => {
  const message = 'storage refused the operation (ENOSPC)';
  const url = await listen(503, { error: { code: 'internal.error', message } });

  expect(await checkAt(url)).toEqual({
    status: 'fail',
    summary: `the server at ${url} can't serve: ${message}`,
    fix: 'see to what it says; its log tells more',
  });
});

test('one that says something else is not taken for ours', async () => {
  const url = await listen(404, { error: { message: 'not here' } });

  expect(await checkAt(url)).toMatchObject({
    status: 'warn',
    summary: `the server at ${url} does not answer`,
  });
});
