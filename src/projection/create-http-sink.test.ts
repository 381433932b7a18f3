import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ProjectionDocument } from '../core/projection/projection.ts';
import { createHttpSink, type HttpSinkConfig } from './create-http-sink.ts';

const DOCUMENT: ProjectionDocument = {
  id: 'runtime/run_summary:run_1',
  projection: 'run_summary',
  summary: { run_id: 'run_1', latest_seq: 2, terminal_at: null },
};

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly traceparent: string | undefined;
  readonly body: unknown;
}

/** Stands for a deployment: keeps what it was sent and answers as it is told. */
async function openDeployment(
  answer: (response: ServerResponse) => void = (response) =>
    response.end('{"status":"success","value":null,"logLines":[]}'),
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    void readBody(request).then((text) => {
      const body: unknown = JSON.parse(text);
      const traceparent = headers['traceparent'] as string | undefined;
      received.push({ method, url, authorization: headers.authorization, traceparent, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const openSink = (overrides: Partial<HttpSinkConfig> = {}) =>
    createHttpSink({
      url: `http://127.0.0.1:${port}`,
      timeoutMs: 5_000,
      mutations: {
        run_summary: 'runtime:upsertRunSummary',
        codex_worker_summary: 'runtime:upsertCodexWorkerSummary',
      },
      findDeployKey: async () => 'prod:key|abc',
      ...overrides,
    });
  return { received, port, openSink };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

test('posts a mutation with the document and the deploy key', async () => {
  const { received, openSink } = await openDeployment();
  const sink = openSink();

  await sink.write(DOCUMENT);
  await sink.write({ ...DOCUMENT, projection: 'codex_worker_summary' });

  const sent = {
    method: 'POST',
    url: '/api/mutation',
    authorization: 'Convex prod:key|abc',
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
    body: {
      path: 'runtime:upsertRunSummary',
      args: { document_id: DOCUMENT.id, summary: DOCUMENT.summary },
      format: 'json',
    },
  };
  expect(received).toEqual([
    sent,
    { ...sent, body: { ...sent.body, path: 'runtime:upsertCodexWorkerSummary' } },
  ]);
});

test('sends no key when there is none, and keeps the path of an address', async () => {
  const { received, port, openSink } = await openDeployment();

  await openSink({
    url: `http://127.0.0.1:${port}/convex`,
    findDeployKey: async () => undefined,
  }).write(DOCUMENT);

  expect(received).toMatchObject([{ url: '/convex/api/mutation', authorization: undefined }]);
});

test.each<[name: string, answer: (response: ServerResponse) => void, message: string]>([
  [
    'a function that threw',
    (response) => response.end('{"status":"error","errorMessage":"no such table"}'),
    'the deployment did not take the document: no such table',
  ],
  [
    'an answer that says nothing',
    (response) => response.end('{}'),
    'the deployment did not take the document: it did not say success',
  ],
  [
    'an answer that is no JSON',
    (response) => response.end('<html>'),
    'the deployment did not take the document: its answer is not a JSON object',
  ],
  [
    'a wrong key',
    (response) => response.writeHead(401).end(),
    'the deployment did not take the document: it answered 401',
  ],
  [
    'a redirect, which would get the key',
    (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    'the deployment did not take the document: it answered 307',
  ],
])('does not take %s for success', async (_name, answer, message) => {
  const { openSink } = await openDeployment(answer);

  const writing = openSink().write(DOCUMENT);

  await expect(writing).rejects.toMatchObject({ code: 'provider_failed', message });
});

test('does not wait longer than it may', async () => {
  const { port, openSink } = await openDeployment(() => {});

  const writing = openSink({ timeoutMs: 100 }).write(DOCUMENT);

  await expect(writing).rejects.toMatchObject({
    code: 'provider_failed',
    message: `the deployment at 127.0.0.1:${port} did not answer within 100 ms`,
  });
});

test('says when nobody listens, and never what the key is', async () => {
  const { openSink } = await openDeployment();

  const closed = openSink({ url: 'http://127.0.0.1:1' }).write(DOCUMENT);
  const badKey = openSink({ findDeployKey: async () => 'two words' }).write(DOCUMENT);

  await expect(closed).rejects.toMatchObject({
    message: 'the deployment at 127.0.0.1:1 can not be reached',
  });
  await expect(badKey).rejects.toMatchObject({
    message:
      'the deployment did not take the document: the deploy key is not printable ASCII without spaces',
  });
});
