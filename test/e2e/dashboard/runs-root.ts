import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { ScriptInput } from '../../../src/providers/scripted/script.ts';
import { type DashboardRoot, PATIENCE_MS } from './dashboard-root.ts';

/** What a model does that has something to show: calls side by side, a fault, a failed call, an answer. */
export const BUSY_STEPS: NonNullable<ScriptInput['steps']> = [
  {
    text: 'I look around.',
    toolCalls: [
      { tool: 'fs.list', input: { path: '.' } },
      { tool: 'time.now', input: {} },
    ],
    usage: { inputTokens: 1_200, outputTokens: 80, cachedInputTokens: 900 },
  },
  {
    error: { status: 503, message: 'overloaded <img src=x onerror=alert(1)>', times: 1 },
    text: 'I read.',
    toolCalls: [{ tool: 'fs.read', input: { path: 'missing.txt' } }],
    usage: { inputTokens: 1_500, outputTokens: 60 },
  },
  {
    text: ['It is **done**. ', '<script>alert(1)</script>'],
    usage: { inputTokens: 2_000, outputTokens: 30 },
  },
];

/** Another model of the same server, by its script. */
export async function writeScript(
  root: DashboardRoot,
  name: string,
  steps: ScriptInput['steps'],
): Promise<string> {
  await writeFile(join(root.path, `${name}.json`), JSON.stringify({ steps }));
  return `scripted/${name}.json`;
}

interface Ask {
  readonly message: string;
  readonly model?: string;
}

export async function createRun(root: DashboardRoot, ask: Ask): Promise<string> {
  const body = { agent_id: 'agent_default', ...ask };
  const { id } = (await root.ask('POST', '/v1/runs', body)) as { id: string };
  return id;
}

/** Until the run stands so. */
export async function reachStatus(root: DashboardRoot, id: string, status: string): Promise<void> {
  const read = async () => ((await root.ask('GET', `/v1/runs/${id}`)) as { status: string }).status;
  // Also before the tests, where nothing can be polled.
  await vi.waitFor(async () => expect(await read()).toBe(status), { timeout: PATIENCE_MS });
}

export async function endedRun(root: DashboardRoot, ask: Ask): Promise<string> {
  const id = await createRun(root, ask);
  await reachStatus(root, id, 'completed');
  return id;
}
