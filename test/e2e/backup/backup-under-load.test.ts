import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, openClawRoot } from '../cli/claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(async () => {
  await rm(`${root.path}.backup`, { force: true });
  await root.dispose();
});

const WRITERS = 4;

interface Load {
  /** Ids that the server has acknowledged so far. */
  readonly runs: readonly string[];
  readonly memories: readonly string[];
  stop(): Promise<void>;
}

/** Submits runs and memories, as fast as they are taken, until it is stopped. */
async function startLoad(url: string): Promise<Load> {
  const token = (await readFile(join(root.path, '.openclawssy', 'token'), 'utf8')).trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const runs: string[] = [];
  const memories: string[] = [];
  let isStopped = false;
  const post = async (path: string, body: object, key: string) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    return { ok: answer.ok, body: (await answer.json()) as Record<string, unknown> };
  };
  async function write(writer: number): Promise<void> {
    for (let count = 0; !isStopped; count += 1) {
      const name = `${writer}-${count}`;
      const run = await post(
        '/v1/runs',
        { agent_id: 'agent_default', message: '/tool time.now {}' },
        name,
      );
      if (run.ok) runs.push(String(run.body['id']));
      const memory = await post(
        '/api/memory/ingest',
        { project_id: 'proj_load', agent_id: 'agent_default', content: `fact ${name} of the load` },
        name,
      );
      if (memory.ok) memories.push(name);
    }
  }
  const writing = Promise.all([...Array(WRITERS).keys()].map(write));
  return {
    runs,
    memories,
    async stop() {
      isStopped = true;
      await writing;
    },
  };
}

test('what was acknowledged before a backup began is in it, however busy the server is', async () => {
  const server = await root.serve({ env: { API_RATE_LIMIT_MAX: '1000000' } });
  const load = await startLoad(server.url);
  await expect.poll(() => load.runs.length, { timeout: 60_000 }).toBeGreaterThan(40);
  const acknowledged = { runs: [...load.runs], memories: [...load.memories] };

  const backup = await root.claw(['backup', `${root.path}.backup`]);
  const during = load.runs.length - acknowledged.runs.length;
  await load.stop();
  server.child.kill('SIGTERM');
  await server.ended;

  expect([backup.code, backup.stderr]).toEqual([0, expect.stringContaining('verifying (')]);
  expect(during).toBeGreaterThan(0);
  const copy = await openClawRoot();
  try {
    const restored = await copy.claw(['restore', `${root.path}.backup`]);
    expect([restored.code, restored.stderr]).toEqual([0, expect.anything()]);
    expect((await copy.claw(['audit', 'verify'])).code).toBe(0);
    expect(await findMissing(copy, acknowledged)).toEqual({ runs: [], memories: [] });
    // Runs that were under way go on where the backup caught them.
    const again = await copy.serve();
    again.child.kill('SIGTERM');
    await again.ended;
    expect((await copy.claw(['audit', 'verify'])).code).toBe(0);
  } finally {
    await copy.dispose();
  }
});

interface Acknowledged {
  readonly runs: readonly string[];
  readonly memories: readonly string[];
}

async function findMissing(
  copy: ClawRoot,
  { runs, memories }: Acknowledged,
): Promise<Acknowledged> {
  const kept = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: string[] = cursor === null ? [] : ['--cursor', cursor];
    const { stdout } = await copy.inline([
      ...['runs', 'list', '--limit', '200', ...page, '--output-format', 'json'],
    ]);
    const document = JSON.parse(stdout) as { runs: { id: string }[]; next_cursor: string | null };
    for (const { id } of document.runs) kept.add(id);
    cursor = document.next_cursor;
  } while (cursor !== null);
  const missing: string[] = [];
  for (const name of [memories[0], memories.at(-1)]) {
    if (name === undefined) continue;
    const { stdout } = await copy.inline([
      ...['memory', 'search', `fact ${name} of the load`, '--project', 'proj_load'],
      ...['--output-format', 'json'],
    ]);
    if (!stdout.includes(`fact ${name} of the load`)) missing.push(name);
  }
  return { runs: runs.filter((id) => !kept.has(id)), memories: missing };
}
