import { expect, test } from 'vitest';
import { z } from 'zod';
import { createClient, type Send, type WireRequest } from './client.ts';
import { answer, operationsWith } from './operation.ts';

const define = operationsWith(async () => ({
  params: z.strictObject({ job_id: z.string() }),
  rest: z.strictObject({ '*': z.string() }),
  query: z.strictObject({ limit: z.int(), cursor: z.string().optional() }),
  body: z.strictObject({ note: z.string() }).nullable(),
  key: z.object({ 'idempotency-key': z.string().optional() }),
  fine: z.object({ ok: z.literal(true) }),
  made: z.object({ id: z.string() }),
}));

const COMMON = {
  name: 'jobs.test',
  summary: '',
  description: '',
  tags: [],
  errors: [],
  effect: 'write',
} as const;

const list = define({
  ...COMMON,
  method: 'GET',
  path: '/jobs/:job_id/slots',
  wire: ({ params, query, fine }) => ({ params, query, answers: { 200: answer('', fine) } }),
  run: async () => ({ ok: true as const }),
});

const create = define({
  ...COMMON,
  method: 'POST',
  path: '/jobs',
  wire: ({ body, fine, made }) => ({
    body,
    answers: { 200: answer('', fine), 201: answer('', made) },
  }),
  run: async () => ({ id: 'a' }),
});

function listen(status: number, body: unknown) {
  const seen: WireRequest[] = [];
  const send: Send = async (request) => {
    seen.push(request);
    return { status, body };
  };
  return { seen, client: createClient(send) };
}

test('a request is made of what the operation declares', async () => {
  const { seen, client } = listen(200, { ok: true, more: 1 });

  const answered = await client.call(list, {
    params: { job_id: 'a/b c' },
    query: { limit: 5, cursor: undefined },
  });

  expect(answered).toEqual({ ok: true });
  expect(seen).toEqual([
    { method: 'GET', path: '/jobs/a%2Fb%20c/slots?limit=5', headers: {}, isRepeatable: true },
  ]);
});

test('the rest of a path is sent as one segment', async () => {
  const { seen, client } = listen(200, { ok: true });
  const remove = define({
    ...COMMON,
    method: 'DELETE',
    path: '/secrets/*',
    wire: ({ rest, fine }) => ({ params: rest, answers: { 200: answer('', fine) } }),
    run: async () => ({ ok: true as const }),
  });

  await client.call(remove, { params: { '*': 'a/../b' } });

  expect(seen.map(({ path }) => path)).toEqual(['/secrets/a%2F..%2Fb']);
});

test('a body that is null is absent, and a POST is sent once unless it says otherwise', async () => {
  const { seen, client } = listen(201, { id: 'a' });

  expect(await client.call(create, { body: null })).toEqual({ id: 'a' });
  await client.call({ ...create, isRepeatable: true }, { body: { note: 'x' } });

  expect(seen).toEqual([
    { method: 'POST', path: '/jobs', headers: {}, isRepeatable: false },
    { method: 'POST', path: '/jobs', headers: {}, isRepeatable: true, body: { note: 'x' } },
  ]);
});

test('one that is repeatable by its key is sent with a key, its own or a new one', async () => {
  const { seen, client } = listen(201, { id: 'a' });
  const keyed = define({
    ...COMMON,
    method: 'POST',
    path: '/jobs',
    isRepeatable: 'by_key',
    wire: ({ key, made }) => ({ headers: key, answers: { 201: answer('', made) } }),
    run: async () => ({ id: 'a' }),
  });

  await client.call(keyed, { headers: { 'idempotency-key': 'mine' } });
  await client.call(keyed, { headers: {} });
  await client.call(keyed, { headers: {} });

  const [own, first, second] = seen.map(({ headers }) => headers?.['idempotency-key']);
  expect(seen.map(({ isRepeatable }) => isRepeatable)).toEqual([true, true, true]);
  expect(own).toBe('mine');
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).not.toBe(first);
});

test.each([
  [200, { id: 'a' }, /^the server's answer can't be read \(ok\): is it another version\?$/],
  [202, { id: 'a' }, /^the server's answer can't be read \(\)/],
])('refuses an answer of %s with %j', async (status, body, message) => {
  const { client } = listen(status, body);

  await expect(client.call(create, { body: null })).rejects.toThrow(message);
});

test.each(['..', '.', ''])('%j does not lead to another operation', async (id) => {
  const { seen, client } = listen(200, { ok: true });

  const input = { params: { job_id: id }, query: { limit: 1 } };

  await expect(client.call(list, input)).rejects.toThrow("can't be part of a path");
  expect(seen).toEqual([]);
});

test('nothing is checked, nor loaded to check it, that the same program says', async () => {
  const seen: string[] = [];
  const watched = {
    ...list,
    wire: () => {
      seen.push('wire');
      return list.wire();
    },
  };
  const body = { ok: true, more: 1 };
  const input = { params: { job_id: 'a' }, query: { limit: 5 } };

  const trusting = createClient(
    async () => ({ status: 200, body }),
    () => true,
  );

  expect(await trusting.call(watched, input)).toBe(body);
  expect(seen).toEqual([]);
});

test('what a server says that was replaced by another program meanwhile is checked', async () => {
  let isSame = true;
  const client = createClient(
    async () => {
      isSame = false;
      return { status: 200, body: { ok: 'yes' } };
    },
    () => isSame,
  );

  const asked = client.call(list, { params: { job_id: 'a' }, query: { limit: 5 } });

  await expect(asked).rejects.toMatchObject({ code: 'internal' });
});
