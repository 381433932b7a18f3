import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { signRequest } from '../../../src/index.ts';
import { openIntegrationServer } from './integration-server.ts';
import { SECRET } from './signed-client.ts';
import { openSkillServer } from './skills/skill-server.ts';
import { parseFrames } from './stream-reader.ts';
import { openInternalServer } from './test-internal-server.ts';

const run = promisify(execFile);

async function readExample(
  language: string,
  page = 'internal-api.md',
  heading = '',
): Promise<string> {
  const file = new URL(`../../../docs/${page}`, import.meta.url);
  const text = await readFile(file, 'utf8');
  const section = text.slice(text.indexOf(heading));
  return section.split(`\`\`\`${language}\n`)[1]?.split('\n```')[0] ?? '';
}

async function findMissing(programs: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    programs.map((name) =>
      run('sh', ['-c', `command -v ${name}`]).then(
        () => true,
        () => false,
      ),
    ),
  );
  return programs.filter((_, at) => found[at] === false);
}

const missing = await findMissing(['curl', 'openssl']);
if (missing.length > 0) process.stderr.write(`skipped: ${missing.join(' and ')} not installed\n`);

test.skipIf(missing.length > 0)('the calls that are documented for a shell work', async () => {
  const server = await openInternalServer({ steps: [{ text: 'Hello!' }] });
  const script = (await readExample('sh'))
    .replace('http://127.0.0.1:3000', server.url)
    .replace('cursor=0', 'cursor=0&tail_ms=1500');

  const { stdout } = await run('sh', ['-ec', script], {
    env: { PATH: process.env['PATH'] ?? '', RUNTIME_SIGNATURE_SECRET: SECRET },
    timeout: 30_000,
  });

  expect(stdout).toContain('"service":"openagents-runtime"');
  expect(stdout).toContain('"status":"created","latestSeq":1,"idempotentReplay":false}');
  expect(stdout).toContain('"frameId":"frm_001","status":"accepted","idempotentReplay":false}');
  const deltas = parseFrames(stdout.slice(stdout.indexOf('retry:')))
    .map(({ data }) => data as { type: string; delta?: string })
    .filter(({ type }) => type === 'text-delta');
  expect(deltas.map(({ delta }) => delta).join('')).toBe('Hello!');
});

/** What an example of another page prints, after the definitions of the page that it refers to. */
async function runExample(server: { readonly url: string }, page: string, heading: string) {
  const definitions = (await readExample('sh')).split('\ncurl ')[0] ?? '';
  const script = `${definitions}\n${await readExample('sh', page, heading)}`;
  const { stdout } = await run('sh', ['-ec', script.replace('http://127.0.0.1:3000', server.url)], {
    env: { PATH: process.env['PATH'] ?? '', RUNTIME_SIGNATURE_SECRET: SECRET },
    timeout: 30_000,
  });
  return stdout;
}

test.skipIf(missing.length > 0)('the call of an integration that is documented works', async () => {
  const server = await openIntegrationServer();

  const stdout = await runExample(server, 'integrations.md', '## A complete call');

  expect(JSON.parse(stdout)).toMatchObject({
    data: { state: 'succeeded', decision: 'allowed', run_id: 'run_123', operation: 'get_issue' },
  });
});

test.skipIf(missing.length > 0)(
  'the specs that are documented are taken and published',
  async () => {
    const server = await openSkillServer();

    const stdout = await runExample(server, 'skills.md', '## Submitting and publishing');

    const answers = stdout
      .replaceAll('}{', '}\n{')
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { data: { tool_id: 'github.docs', version: 1, state: 'validated' } },
      { data: { skill_id: 'release-notes', version: 1, state: 'validated' } },
      {
        data: {
          skill_id: 'release-notes',
          version: 1,
          release_id: expect.stringMatching(/^skillrel_/),
        },
      },
    ]);
  },
);

test('the signer of the package makes a request that is taken', async () => {
  const server = await openInternalServer({ secrets: { byKeyId: new Map([['k1', 'key-one']]) } });
  const body = JSON.stringify({ thread_id: 'thread_abc', run_id: 'run_123' });

  const response = await fetch(`${server.url}/internal/v1/runs`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signRequest({
        secret: 'key-one',
        keyId: 'k1',
        userId: 42,
        threadId: 'thread_abc',
        runId: 'run_123',
        body,
      }),
    },
    body,
  });

  expect([response.status, await response.json()]).toEqual([
    201,
    {
      runId: 'run_123',
      threadId: 'thread_abc',
      agentId: 'agent_default',
      status: 'created',
      latestSeq: 1,
      idempotentReplay: false,
    },
  ]);
});

test('the signer sends what was asked of it and nothing else', () => {
  const secret = 'secret';
  const nowMs = 1_000_999;

  const guest = signRequest({
    secret,
    nowMs,
    nonce: 'n',
    guestScope: 'g',
    ttlSeconds: 5,
    body: '',
  });
  const bare = signRequest({ secret, nowMs, nonce: 'n' });

  const claimsOf = (headers: Record<string, string>) =>
    JSON.parse(
      Buffer.from(headers['x-oa-runtime-signature']?.split('.')[1] ?? '', 'base64url').toString(),
    );
  expect(claimsOf(guest)).toEqual({ iat: 1000, exp: 1005, nonce: 'n', guest_scope: 'g' });
  expect(claimsOf(bare)).toEqual({ iat: 1000, exp: 1060, nonce: 'n' });
  expect(Object.keys(bare)).toEqual(['x-oa-runtime-signature']);
  expect(guest).toMatchObject({
    'x-oa-guest-scope': 'g',
    'x-oa-runtime-body-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  });
});
