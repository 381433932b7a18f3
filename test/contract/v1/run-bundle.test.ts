import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { expect, test } from 'vitest';
import { TOKEN } from './http-client.ts';
import { finish, openTestServer, start } from './test-server.ts';

function download(port: number, path: string): Promise<{ type: string; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          type: response.headers['content-type'] ?? '',
          bytes: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

async function unpack(archive: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const entries = extract();
  entries.end(gunzipSync(archive));
  for await (const entry of entries) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files.set(entry.header.name, Buffer.concat(chunks).toString('utf8'));
  }
  return files;
}

test('the bundle of an ended run is one file with all of its files', async () => {
  const server = await openTestServer();
  await finish(server, await start(server, 'run_1'));

  const { type, bytes } = await download(server.port, '/v1/runs/run_1/bundle');

  const files = await unpack(bytes);
  expect(type).toBe('application/gzip');
  expect([...files.keys()].sort()).toEqual(
    ['events.jsonl', 'input.json', 'meta.json', 'output.md', 'prompt.md', 'toolcalls.jsonl'].map(
      (name) => `run_1/${name}`,
    ),
  );
  expect(files.get('run_1/output.md')).toBe('all done\n');
  expect(files.get('run_1/events.jsonl')?.trimEnd().split('\n')).toHaveLength(3);
});

test.each([
  ['/v1/runs/run_none/bundle', 404, 'run.not_found'],
  ['/v1/runs/run_1/bundle', 409, 'conflict'],
  ['/v1/runs/run_1/turns/1/prompt', 404, 'turn.not_found'],
  ['/v1/runs/run_none/turns/1/prompt', 404, 'run.not_found'],
  ['/v1/runs/run_1/turns/0/prompt', 400, 'invalid.request'],
  ['/v1/runs/run_1/turns/one/prompt', 400, 'invalid.request'],
])('answers %s of a run that goes on with %i', async (path, status, code) => {
  const server = await openTestServer();
  await start(server, 'run_1');

  const answer = await server.call(path);
  const stranger = await server.call(path, { anonymous: true });

  expect([answer.status, answer.body]).toMatchObject([status, { error: { code } }]);
  expect(stranger.status).toBe(401);
});

test('a turn that the loop would ask otherwise by now has no prompt to show', async () => {
  const server = await openTestServer();
  const lease = await start(server, 'run_1');
  const payload = { turn: 1, attempt: 1, messages: 7, messages_sha256: 'none', tools: 0 };
  await server.storage.runs.append(lease, [server.seal({ type: 'model.requested', payload })]);
  await finish(server, lease);

  const answer = await server.call('/v1/runs/run_1/turns/1/prompt');

  expect([answer.status, answer.body]).toMatchObject([
    409,
    {
      error: {
        code: 'conflict',
        message: "run run_1 can't be played again up to turn 1: it goes another way at event 3",
      },
    },
  ]);
});
