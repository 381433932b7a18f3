import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findFreePort } from '../../support/guarded-process.ts';
import {
  askRemote,
  awaitOutput,
  type BridgeRoot,
  openBridgeRoot,
  PATIENCE,
} from './bridge-root.ts';

/**
 * Against the published `openclaw` package, which is large and needs a newer Node than ours. Install it anywhere and
 * say where: OPENCLAW_DIR is the folder that has node_modules/openclaw, OPENCLAW_NODE a Node that it runs on.
 */
const folder = process.env['OPENCLAW_DIR'];
const node = process.env['OPENCLAW_NODE'];
const program = join(folder ?? '', 'node_modules/openclaw/openclaw.mjs');
const reason = findReason();

function findReason(): string {
  if (!folder || !node) return 'OPENCLAW_DIR and OPENCLAW_NODE are not set';
  if (!existsSync(program)) return `${program} does not exist`;
  return existsSync(node) ? '' : `${node} does not exist`;
}

const TOKEN = 'published-gateway-token';
let root: BridgeRoot | undefined;
let gateway: ChildProcess | undefined;
let model: Server | undefined;

afterEach(async () => {
  await root?.dispose();
  model?.closeAllConnections();
  model?.close();
  if (!gateway || gateway.exitCode !== null) return;
  const gone = once(gateway, 'exit');
  gateway.kill('SIGKILL');
  await gone;
});

test(`an agent of the published gateway answers, also after kill -9 of the server${reason === '' ? '' : ` (skipped: ${reason})`}`, {
  timeout: 240_000,
  skip: reason !== '',
}, async () => {
  const questions: string[] = [];
  const modelPort = await startModel(questions);
  const port = await findFreePort();
  root = await openBridgeRoot({
    OPENCLAW_WS_URL: `ws://127.0.0.1:${port}`,
    OPENCLAW_GATEWAY_TOKEN: TOKEN,
  });
  await startPublished(port, modelPort, join(root.path, 'gateway'));
  const first = await root.start();
  const state = async () =>
    ((await first.call('/api/admin/openclaw')).body as { state: string }).state;
  await expect.poll(state, { timeout: 120_000, interval: 500 }).toBe('connected');

  const quick = await askRemote(first, 'say hello');
  expect(await awaitOutput(first, quick)).toBe('one two three');
  const slow = await askRemote(first, 'SLOW work');
  await expect.poll(() => questions.some((text) => text.includes('SLOW')), PATIENCE).toBe(true);
  await first.kill();
  const second = await root.start();

  expect(await awaitOutput(second, slow)).toBe('one two three');
  expect(questions.filter((text) => text.includes('SLOW')).length).toBe(1);
});

async function startPublished(port: number, modelPort: number, home: string): Promise<void> {
  const cost = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
  const echo = { id: 'echo', name: 'Echo', reasoning: false, input: ['text'], cost };
  const provider = {
    baseUrl: `http://127.0.0.1:${modelPort}/v1`,
    apiKey: 'none',
    api: 'openai-completions',
    models: [{ ...echo, contextWindow: 128_000, maxTokens: 4_096 }],
  };
  await mkdir(home, { recursive: true });
  await writeFile(
    join(home, 'openclaw.json'),
    JSON.stringify({
      gateway: { mode: 'local' },
      agents: { defaults: { model: { primary: 'lab/echo' }, workspace: join(home, 'ws') } },
      models: { mode: 'merge', providers: { lab: provider } },
    }),
  );
  const options = ['--port', String(port), '--auth', 'token', '--bind', 'loopback'];
  gateway = spawn(node ?? '', [program, 'gateway', 'run', ...options, '--allow-unconfigured'], {
    env: {
      PATH: '/usr/bin:/bin',
      HOME: home,
      OPENCLAW_STATE_DIR: home,
      OPENCLAW_GATEWAY_TOKEN: TOKEN,
    },
    stdio: 'ignore',
  });
}

/** What the gateway's agent thinks with; it takes its time when it is asked to. */
async function startModel(questions: string[]): Promise<number> {
  model = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      if (request.method === 'POST') void answer(body, questions, response);
      else response.end('{"data":[]}');
    });
  });
  model.listen(0, '127.0.0.1');
  await once(model, 'listening');
  return (model.address() as AddressInfo).port;
}

async function answer(body: string, questions: string[], response: ServerResponse): Promise<void> {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] };
  const users = messages.filter(({ role }) => role === 'user');
  const newest =
    users
      .map(({ content }) => JSON.stringify(content))
      .findLast((text) => !text.includes('INTERNAL_CONTEXT')) ?? '';
  questions.push(newest);
  response.setHeader('content-type', 'text/event-stream');
  for (const content of ['one ', 'two ', 'three']) {
    response.write(toChunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }));
    if (newest.includes('SLOW')) await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
  response.write(toChunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
  response.write(toChunk({ choices: [], usage }));
  response.end('data: [DONE]\n\n');
}

function toChunk(part: object): string {
  const frame = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'echo', ...part };
  return `data: ${JSON.stringify(frame)}\n\n`;
}
