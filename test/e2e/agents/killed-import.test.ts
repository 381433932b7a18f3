import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { forgeParcel, JOB, MEMORY, MESSAGE, SESSION } from '../../parcels/forge-parcel.ts';
import { killBuiltServers, startBuiltServer } from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { TEST_ENGINES } from '../../support/test-engines.ts';
import { HOME_KEY } from '../../support/test-parcels.ts';

afterEach(killBuiltServers);

const TOKEN = 'token-of-the-killed';
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };
const MESSAGES = 4_000;
const MEMORIES = 4_000;
/** While the file comes in, while it is read, and while it is stored, as far as that can be told. */
const KILLED_AFTER_MS = [30, 250, 500];
const IMPORT = `/api/admin/agents/import?trust=${encodeURIComponent(HOME_KEY.publicKey)}`;

function makeParcel(): Promise<Buffer> {
  const messages = Array.from({ length: MESSAGES }, (_, index) => ({
    ...MESSAGE,
    exchange: MESSAGES - index,
    content: `said ${index}`,
  }));
  const memories = Array.from({ length: MEMORIES }, (_, index) => ({
    ...MEMORY,
    content: `note ${index}`,
  }));
  return forgeParcel({ parts: { conversations: [SESSION, ...messages], memories, jobs: [JOB] } });
}

async function ask<T>(url: string, path: string): Promise<T> {
  const response = await fetch(`${url}${path}`, { headers: AUTHORIZED });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function send(url: string, body: Buffer): Promise<string> {
  const headers = { ...AUTHORIZED, 'content-type': 'application/vnd.pincer.agent' };
  const response = await fetch(`${url}${IMPORT}`, { method: 'POST', headers, body });
  const { outcome } = (await response.json()) as { outcome?: string };
  return outcome ?? String(response.status);
}

/** How much of the agent is there, of each kind. */
async function look(url: string): Promise<readonly number[]> {
  const { agents } = await ask<{ agents: readonly { slug: string }[] }>(url, '/api/admin/agents');
  const { chunks } = await ask<{ chunks: number }>(url, '/api/memory/stats');
  const { jobs } = await ask<{ jobs: readonly unknown[] }>(url, '/api/admin/scheduler/jobs');
  const { sessions } = await ask<{ sessions: readonly { message_count: number }[] }>(
    ...([url, '/api/admin/chat/sessions'] as const),
  );
  const { length: moles } = agents.filter(({ slug }) => slug === 'mole');
  const messages = sessions.reduce((sum, { message_count: count }) => sum + count, 0);
  return [moles, sessions.length, messages, chunks, jobs.length];
}

const NOTHING = [0, 0, 0, 0, 0];
const ALL = [1, 1, MESSAGES, MEMORIES, 1];

describe.each(TEST_ENGINES.filter(({ available }) => available))('imports on $name', (engine) => {
  test('kill -9 leaves all of an import or nothing of it', async () => {
    const root = await openTempRoot();
    onTestFinished(() => root.remove());
    const env = {
      API_BEARER_TOKEN: TOKEN,
      CLAW_MODEL: 'offline/rules',
      ...(await engine.openEnv()),
    };
    const parcel = await makeParcel();

    for (const delayMs of KILLED_AFTER_MS) {
      const server = startBuiltServer({ root: root.path, env });
      const url = String(await server.ready);
      const sent = send(url, parcel).catch(() => 'lost');
      await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, delayMs))]);
      await server.kill();
      const outcome = await sent;

      const after = startBuiltServer({ root: root.path, env });
      const found = await look(String(await after.ready));
      await after.kill();
      const isWhole = outcome !== 'lost' || found[0] === 1;
      expect(found).toEqual(isWhole ? ALL : NOTHING);
    }

    const last = startBuiltServer({ root: root.path, env });
    const url = String(await last.ready);
    expect(await send(url, parcel)).toMatch(/^(imported|present)$/);
    expect(await send(url, parcel)).toBe('present');
    expect(await look(url)).toEqual(ALL);
    await last.stop();
  });
});
