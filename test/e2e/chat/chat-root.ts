import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ScriptInput } from '../../../src/providers/scripted/script.ts';
import {
  type BuiltServer,
  killBuiltServers,
  startBuiltServer,
} from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { request } from '../torture/http-request.ts';
import { TOKEN } from '../torture/workload-script.ts';

/** Slow enough that the second message is sent while the first run still speaks. */
const DELTA_MS = 40;

/** By the number of answers that a request holds already, those of the conversation included. */
const WRITE: NonNullable<ScriptInput['steps']>[number] = {
  text: ['I will ', 'write it.'],
  deltaDelayMs: DELTA_MS,
  toolCalls: [{ tool: 'fs.write', input: { path: 'note.txt', content: 'one\n' } }],
};
const SCRIPTS = {
  whole: [
    WRITE,
    { text: ['The first ', 'answer.'], deltaDelayMs: DELTA_MS },
    { text: ['The second ', 'answer.'], deltaDelayMs: DELTA_MS },
  ],
  /** Stops in the middle of the first answer. */
  hanging: [WRITE, { text: ['The first '], hang: true }],
} satisfies Record<string, ScriptInput['steps']>;

/** An expired lease is what a second server waits for on an engine that it shares. */
const LEASE_MS = 1_000;

export interface ChatRoot {
  readonly path: string;
  start(script: keyof typeof SCRIPTS, env?: Readonly<Record<string, string>>): Promise<ChatServer>;
  dispose(): Promise<void>;
}

export interface ChatServer extends BuiltServer {
  /** The same text again is the same request. */
  say(message: string): Promise<Said>;
  statusOf(runId: string): Promise<string>;
  sessions(): Promise<number>;
  /** Everything the session holds, one line a message, without what differs from run to run. */
  transcript(sessionId: string): Promise<string[]>;
}

export interface Said {
  readonly id: string;
  readonly session_id: string;
}

export async function openChatRoot(env: Readonly<Record<string, string>> = {}): Promise<ChatRoot> {
  const root = await openTempRoot();
  const stateDir = join(root.path, '.openclawssy');
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const config = { engine: { delta_batch_ms: 5, lease_ms: LEASE_MS } };
  await writeFile(join(stateDir, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  for (const [name, steps] of Object.entries(SCRIPTS)) {
    await writeFile(join(root.path, `${name}.json`), JSON.stringify({ steps }));
  }
  return {
    path: root.path,

    async start(script, extra = {}) {
      const server = startBuiltServer({
        root: root.path,
        env: {
          API_BEARER_TOKEN: TOKEN,
          CLAW_ALLOW_SCRIPTED_MODEL: '1',
          CLAW_MODEL: `scripted/${script}.json`,
          LOG_LEVEL: 'warn',
          ...env,
          ...extra,
        },
      });
      const url = await server.ready;
      if (url === undefined) throw new Error(`the server did not start:\n${server.output()}`);
      return Object.assign(server, createChatClient(url));
    },

    async dispose() {
      await killBuiltServers();
      await root.remove();
    },
  };
}

function createChatClient(url: string) {
  async function get<T>(path: string): Promise<T> {
    const { status, body } = await request(`${url}${path}`);
    expect([path, status]).toEqual([path, 200]);
    return body as T;
  }

  return {
    async say(message: string): Promise<Said> {
      const { status, body } = await request(`${url}/v1/chat/messages`, {
        method: 'POST',
        headers: { 'idempotency-key': message },
        body: { user_id: 'ana', room_id: 'dev', message },
      });
      expect([body, status]).toEqual([body, 202]);
      return body as Said;
    },

    async statusOf(runId: string): Promise<string> {
      return (await get<{ status: string }>(`/v1/runs/${runId}`)).status;
    },

    async sessions(): Promise<number> {
      const path = '/api/admin/chat/sessions?include_closed=true';
      return (await get<{ sessions: unknown[] }>(path)).sessions.length;
    },

    async transcript(sessionId: string): Promise<string[]> {
      const path = `/api/admin/chat/sessions/${sessionId}/messages`;
      const { messages } = await get<{ messages: Record<string, string>[] }>(path);
      return messages.map(({ exchange, role, tool_name, status, content }) => {
        const said = role === 'tool' ? `${tool_name} ${describe(content ?? '')}` : content;
        return `${exchange} ${role}${status === undefined ? '' : ` (${status})`}: ${said}`;
      });
    },
  };
}

function describe(record: string): string {
  const { summary, error } = JSON.parse(record) as { summary: string; error: string };
  return error === '' ? summary : error;
}
