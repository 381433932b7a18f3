import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { findOnPath } from '../../../test/support/system-packages.ts';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { RuntimeError } from '../../core/errors.ts';
import { callTool, failureOf, inputErrors } from '../test-workspace.ts';
import { createHttpRequest, effectOfRequest } from './http-request.ts';
import { denialOf, openTestInternet, PUBLIC, type TestInternet } from './test-internet.ts';

const open: TestInternet[] = [];

async function openInternet(answer: Parameters<typeof openTestInternet>[1]): Promise<TestInternet> {
  const names = { 'site.example': [[PUBLIC]], 'other.example': [[PUBLIC]] };
  const internet = await openTestInternet(names, answer);
  open.push(internet);
  return internet;
}

afterEach(async () => {
  for (const internet of open.splice(0)) await internet.close();
});

const url = 'http://site.example/';

test('answers with status, headers, body and how much of it was read', async () => {
  const internet = await openInternet((_, response) => {
    response.sendDate = false;
    response.writeHead(404, { 'Content-Type': 'text/plain', 'X-A': ['1', '2'] }).end('grüße');
  });

  expect(await internet.call({ url })).toEqual({
    status: 404,
    headers: {
      'content-type': 'text/plain',
      'x-a': '1, 2',
      connection: 'close',
      'transfer-encoding': 'chunked',
    },
    body: 'grüße',
    bytes_read: 7,
    truncated: false,
    url,
    max_response_bytes: 1_048_576,
  });
});

test('sends method, headers and body, and a structure as JSON', async () => {
  const internet = await openInternet((_, response) => response.end());

  await internet.call({ url, method: 'post', headers: { 'X-One': '1' }, body: { a: 1 } });

  expect(internet.seen).toEqual([
    {
      method: 'POST',
      url: '/',
      body: '{"a":1}',
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'pincer',
        'x-one': '1',
        'content-type': 'application/json',
        host: 'site.example',
        'content-length': '7',
        connection: 'close',
      },
    },
  ]);
});

test('cuts a long body at the bound, between characters, and says so', async () => {
  const internet = await openInternet((_, response) => response.end('äöü'.repeat(100)));

  expect(await internet.call({ url, max_response_bytes: 5 })).toMatchObject({
    body: 'äö',
    bytes_read: 5,
    truncated: true,
    max_response_bytes: 5,
  });
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024))],
  ['br', brotliCompressSync(Buffer.alloc(8 * 1024 * 1024, 'x'))],
])('unpacks %s only up to the bound', async (encoding, bomb) => {
  const internet = await openInternet((_, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
  });

  const output = await internet.call({ url, max_response_bytes: 10_000_000 });

  expect(output).toMatchObject({
    bytes_read: 5 * 1024 * 1024,
    truncated: true,
    max_response_bytes: 5_242_880,
  });
});

test('ends a compressed stream that goes on without yielding anything', async () => {
  const empty = gzipSync('');
  const internet = await openInternet((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const block = Buffer.concat(Array.from({ length: 3_000 }, () => empty));
    const more = () => {
      while (response.write(block));
      response.once('drain', more);
    };
    more();
  });

  expect(await internet.call({ url, max_response_bytes: 1_000 })).toMatchObject({
    body: '',
    truncated: true,
  });
});

test('gives a body that is no text as base64, and text in its own character set', async () => {
  const binary = await openInternet((_, response) => response.end(Buffer.from([0, 255, 1])));
  const latin = await openInternet((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' });
    response.end(Buffer.from([0xfc]));
  });

  expect(await binary.call({ url })).toMatchObject({ body: 'AP8B', body_encoding: 'base64' });
  expect(await latin.call({ url })).toMatchObject({ body: 'ü' });
});

test('ends on time, wherever the other side stops', async () => {
  const silent = await openInternet(() => {});
  const slow = await openInternet((_, response) => void response.writeHead(200).write('some'));

  for (const internet of [silent, slow]) {
    expect(await failureOf(internet.call({ url, timeout_ms: 100 }))).toEqual({
      code: 'timeout',
      message: 'http.request did not finish within 100 ms',
      details: { timeout_ms: 100, effect: 'none' },
    });
  }
});

test('stops at once when the call is cancelled', async () => {
  const controller = new AbortController();
  const internet = await openInternet(() =>
    controller.abort(new RuntimeError('cancelled', 'stop')),
  );

  const failure = failureOf(internet.call({ url }, {}, { signal: controller.signal }));

  expect(await failure).toMatchObject({ code: 'cancelled', message: 'stop' });
});

test('refuses a response with too many headers', async () => {
  const internet = await openInternet((_, response) => {
    response.writeHead(200, { 'x-large': 'x'.repeat(60_000) }).end();
  });

  expect(await denialOf(internet.call({ url }))).toBe('tool_failed: HPE_HEADER_OVERFLOW');
});

test('carries no credentials to another origin', async () => {
  const internet = await openInternet(({ headers }, response) => {
    const isFirst = headers.host === 'site.example';
    response.writeHead(isFirst ? 307 : 200, { location: 'http://other.example/next' }).end();
  });
  const headers = { Authorization: 'Bearer a', Cookie: 'b', 'X-Api-Key': 'c', 'X-Plain': 'd' };

  await internet.call({ url, method: 'PUT', headers, body: 'content' });

  const [first, second] = internet.seen;
  expect(first?.headers).toMatchObject({
    authorization: 'Bearer a',
    cookie: 'b',
    'x-api-key': 'c',
  });
  expect(second).toMatchObject({ method: 'PUT', body: 'content', headers: { 'x-plain': 'd' } });
  expect(Object.keys(second?.headers ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/authorization|cookie|x-api-key/)]),
  );
});

test('turns a POST into a GET without its body where a redirect asks for that', async () => {
  const internet = await openInternet(({ url: path }, response) => {
    response.writeHead(path === '/' ? 303 : 200, { location: '/done' }).end();
  });

  await internet.call({
    url,
    method: 'POST',
    body: 'x',
    headers: { 'content-type': 'text/plain' },
  });

  expect(internet.seen.at(-1)).toMatchObject({ method: 'GET', url: '/done', body: '' });
  expect(internet.seen.at(-1)?.headers['content-type']).toBeUndefined();
});

test.each([
  [{ Host: 'other' }, 'header host is set by the runtime'],
  [{ 'Transfer-Encoding': 'chunked' }, 'header transfer-encoding is set by the runtime'],
  [{ 'X-A': 'a\r\nHost: b' }, "header x-a has characters that can't be sent"],
  [{ 'X A': 'a' }, 'a header name is invalid'],
  [{ a: '1', A: '2' }, 'header a is given twice'],
  [{ a: 'x'.repeat(20_000) }, 'headers must be at most 64 and 16384 bytes'],
])('refuses the headers %j', async (headers, message) => {
  const internet = await openInternet((_, response) => response.end());

  expect(await failureOf(internet.call({ url, headers }))).toMatchObject({
    code: 'tool_input_invalid',
    message,
  });
  expect(internet.seen).toEqual([]);
});

test('fills secrets into headers and never gives them back', async () => {
  const internet = await openInternet(({ headers }, response) => {
    response
      .writeHead(200, { 'x-echo': headers.authorization })
      .end(`got ${headers.authorization} and Bearer s3cr`);
  });
  const resolveSecret = async (name: string) =>
    name === 'github/token' ? 's3cret-value' : undefined;
  const headers = { Authorization: 'Bearer {{secret:github/token}}' };
  const local = { allowLocalhosts: true };
  const home = 'http://127.0.0.1/';

  const output = await internet.call({ url: home, headers }, local, { resolveSecret });
  const absent = { Authorization: '{{secret:other}}' };
  const failures = [
    await failureOf(internet.call({ url: home, headers: absent }, local, { resolveSecret })),
    await failureOf(internet.call({ url: home, headers }, local)),
  ];

  expect(internet.seen[0]?.headers.authorization).toBe('Bearer s3cret-value');
  expect(output).toMatchObject({ body: 'got Bearer [REDACTED] and Bearer [REDACTED]' });
  expect(JSON.stringify(output)).not.toContain('s3cr');
  expect(failures.map(({ code, message }) => [code, message])).toEqual([
    ['tool_input_invalid', 'secret other does not exist'],
    ['tool_input_invalid', 'secret github/token is not available: there is no secret store'],
  ]);
  expect(internet.seen.length).toBe(1);
});

test('does not send the key of a model provider', async () => {
  const internet = await openInternet((_, response) => response.end());
  const headers = { 'X-Key': '{{secret:provider/openai/api_key}}' };

  const call = internet.call(
    { url: 'http://127.0.0.1/', headers },
    { allowLocalhosts: true },
    { resolveSecret: async () => 'value' },
  );

  expect(await failureOf(call)).toMatchObject({
    code: 'policy_denied',
    message:
      'secret provider/openai/api_key is the key of a model provider, which tools may not send',
  });
  expect(internet.connections).toEqual([]);
});

test('sends no secret over plain http to another machine', async () => {
  const internet = await openInternet((_, response) => response.end());
  const headers = { 'X-Key': '{{secret:a}}' };

  const call = internet.call({ url, headers }, {}, { resolveSecret: async () => 'value' });

  expect(await denialOf(call)).toBe('secret_over_plain_http');
  expect(internet.connections).toEqual([]);
});

test('sends the idempotency key and the trace of the call, the key only where something changes', async () => {
  const internet = await openInternet((_, response) => response.end());
  const tool = createHttpRequest({
    config: { enabled: true, allowedDomains: [], allowLocalhosts: true, keyDomains: [] },
  });
  const ctx = {
    idempotencyKey: 'key-1',
    traceparent: '00-a-b-01',
    tracestate: 'vendor=1',
    callerRequestId: 'req-7',
    signal: new AbortController().signal,
  };
  const local = `http://127.0.0.1:${internet.port}/`;

  for (const method of ['GET', 'POST']) await tool.execute({ url: local, method }, ctx as never);

  const sent = internet.seen.map(({ headers }) => [
    headers['idempotency-key'],
    headers['traceparent'],
    headers['tracestate'],
    headers['x-request-id'],
  ]);
  expect(sent).toEqual([
    [undefined, '00-a-b-01', 'vendor=1', 'req-7'],
    ['key-1', '00-a-b-01', 'vendor=1', 'req-7'],
  ]);
});

test('says by its method whether a request changes anything', () => {
  expect(
    [{}, { method: 'HEAD' }, { method: 'POST' }, { method: 'DELETE' }].map(effectOfRequest),
  ).toEqual(['read', 'read', 'write', 'write']);
});

test('refuses input that makes no request', async () => {
  const config = {
    enabled: true,
    allowedDomains: ['site.example'],
    allowLocalhosts: false,
    keyDomains: [],
  };
  const tool = createHttpRequest({ config });

  expect(inputErrors(tool, {})).toEqual(['url is required']);
  expect(inputErrors(tool, { url, method: 'TRACE' })).toEqual([
    'method must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  ]);
  expect(inputErrors(tool, { url, timeout_ms: 0 })).toEqual(['timeout_ms must be at least 1']);
  expect(await failureOf(callTool(tool, { url, body: 'x' }))).toMatchObject({
    code: 'tool_input_invalid',
    message: 'a GET request has no body',
  });
  expect(() => createHttpRequest({ config: { ...config, allowedDomains: ['a b'] } })).toThrow(
    'network.allowed_domains: a b is not a host',
  );
});

const hasOpenssl = findOnPath('openssl') !== undefined;
if (!hasOpenssl) process.stderr.write('skipping the certificate test: there is no openssl\n');

test.skipIf(!hasOpenssl)(
  'names the host to a TLS server and refuses a certificate nobody vouches for',
  async () => {
    const root = await openTempRoot();
    const [keyFile, certFile] = [join(root.path, 'key'), join(root.path, 'cert')];
    const subject = ['-subj', '/CN=site.example', '-days', '2', '-nodes'];
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', ...subject];
    spawnSync('openssl', ['req', '-x509', ...made, '-keyout', keyFile, '-out', certFile]);
    const pair = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
    const names: string[] = [];
    const server = createServer({
      ...pair,
      SNICallback(name, done) {
        names.push(name);
        done(null, createSecureContext(pair));
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const tool = createHttpRequest({
      config: {
        enabled: true,
        allowedDomains: ['site.example'],
        allowLocalhosts: true,
        keyDomains: [],
      },
      resolve: async () => ['127.0.0.1'],
    });

    const reason = await denialOf(callTool(tool, { url: `https://site.example:${port}/` }));
    await new Promise((resolve) => server.close(resolve));
    await root.remove();

    expect(reason).toBe('tool_failed: DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(names).toEqual(['site.example']);
  },
);
