import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { openTestRuntime, type TestRuntime } from '../../../test/support/open-test-runtime.ts';
import { systemClock } from '../../core/clock.ts';
import { DEFAULT_AGENT_ID } from '../../core/ids.ts';
import { silentLogger } from '../../core/log.ts';
import type { Model } from '../../core/loop/model.ts';
import { defineTool } from '../../core/tools/tool.ts';
import { createBearerAuth } from '../http/bearer-auth.ts';
import { createHttpServer } from '../http/create-http-server.ts';
import { DEFAULT_HTTP_CONFIG } from '../http/http-config.ts';
import { createRateLimiter } from '../http/rate-limiter.ts';
import { createMcpServer, type McpServer } from './create-mcp-server.ts';
import { createMcpSurface } from './create-mcp-surface.ts';

export const TOKEN = 'a-token-for-tests';
const GRANTED = ['fs.read', 'fs.write', 'test.wait'];

/** Ends only when it is cancelled. */
const waitTool = defineTool({
  name: 'test.wait',
  description: 'Waits',
  effect: 'read',
  input: z.object({}),
  execute: (_input, { signal }) =>
    new Promise<Record<string, never>>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
});

interface TestMcp {
  readonly runtime: TestRuntime;
  readonly server: McpServer;
  /** How many wait for the next event of a run. */
  countFollowers(): number;
}

export async function openTestMcp(model: Model): Promise<TestMcp> {
  const runtime = await openTestRuntime(model, {
    tools: [waitTool],
    config: { tools: { granted: GRANTED } },
  });
  onTestFinished(() => runtime.dispose());
  let followers = 0;
  const server = createMcpServer({
    ...runtime,
    runs: {
      ...runtime.runs,
      async *tail(request) {
        followers += 1;
        try {
          yield* runtime.runs.tail(request);
        } finally {
          followers -= 1;
        }
      },
    },
    skills: runtime.skills.shelf,
    clock: systemClock,
    agentId: DEFAULT_AGENT_ID,
    // One more than is granted: policy has the last word whatever is shown.
    isExposed: ({ name }) => GRANTED.includes(name) || name === 'fs.list',
    logger: silentLogger,
    version: '0.0.0-test',
  });
  onTestFinished(() => server.close());
  return { runtime, server, countFollowers: () => followers };
}

/** The surface alone on a port of its own. */
export async function listen(server: McpServer): Promise<string> {
  const nowMs = () => systemClock.nowMs();
  const failures = createRateLimiter({ max: 20, windowMs: 60_000, maxKeys: 100, nowMs });
  const surface = createMcpSurface({
    server,
    authenticate: createBearerAuth({ token: TOKEN, failures }),
  });
  const http = createHttpServer({
    config: { ...DEFAULT_HTTP_CONFIG, port: 0 },
    logger: silentLogger,
    clock: systemClock,
    ids: { request: () => 'req_test' as never },
    encodeError: surface.encodeError,
    info: { title: 'Pincer', version: '0.0.0-test', description: '' },
    surfaces: [surface],
  });
  const { url } = await http.listen();
  onTestFinished(() => http.close(500));
  return `${url}/mcp`;
}

export async function connect(url: string, mode: 'legacy' | 'auto' = 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Polls: what is waited for happens on another connection. */
export async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + 15_000;
  while (!(await isMet())) {
    if (Date.now() > deadlineMs) throw new Error('waited in vain');
    await systemClock.sleep(20);
  }
}

/** The text of a result, with whether it reports a failure. */
export function textOf(result: {
  readonly content: readonly object[];
  readonly isError?: unknown;
}) {
  const [block] = result.content as readonly { readonly text?: string }[];
  return { isError: result.isError === true, text: block?.text ?? '' };
}
