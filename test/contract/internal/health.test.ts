import { expect, test } from 'vitest';
import { RuntimeError } from '../../../src/core/errors.ts';
import { openInternalServer } from './test-internal-server.ts';

test('answers with the name of the contract and the version of the program', async () => {
  const server = await openInternalServer();

  const answer = await server.get('/health', { nobody: true });

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    status: 'ok',
    service: 'openagents-runtime',
    version: '0.0.0-test',
  });
});

test('needs a signature', async () => {
  const server = await openInternalServer();

  const answer = await server.get('/health', {
    headers: { 'x-oa-runtime-signature': undefined },
  });

  expect(answer.status).toBe(401);
  expect(answer.body).toEqual({
    error: { code: 'unauthorized', message: 'missing runtime signature' },
  });
});

test('says so when the storage can not serve', async () => {
  const ping = async () => {
    throw new RuntimeError('storage_unavailable', 'database is gone');
  };
  const server = await openInternalServer({ deps: () => ({ ping }) });

  const answer = await server.get('/health');

  expect(answer.status).toBe(503);
  expect(answer.body).toEqual({ error: { code: 'internal_error', message: 'database is gone' } });
});
