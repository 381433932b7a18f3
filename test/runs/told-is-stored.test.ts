import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { RuntimeError } from '../../src/core/errors.ts';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ModelRequest } from '../../src/core/loop/model.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import type { ScriptInput } from '../../src/providers/scripted/script.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

const SECRET = 'zq/known+value=9';
const SPELLINGS = [
  SECRET,
  encodeURIComponent(SECRET),
  SECRET.replaceAll('/', '\\/'),
  Buffer.from(SECRET).toString('base64'),
  Buffer.from(SECRET).toString('hex'),
];

const PLACE = { agentId: DEFAULT_AGENT_ID, channel: 'test', userId: 'ana', roomId: 'here' };

const open: TestRuntime[] = [];
const roots: TempRoot[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
  await Promise.all(roots.splice(0).map((root) => root.remove()));
});

/** What tools can do with a secret: answer with it, fail with it, drown it, be called with it. */
function createTools(heard: string[]) {
  const define = (name: string, execute: (input: { value?: string }) => Promise<JsonObject>) =>
    defineTool({
      name,
      description: name,
      effect: 'read' as const,
      input: z.object({ value: z.string().optional() }) as z.ZodType<{ value?: string }>,
      execute,
    });
  return [
    define('test.answer', async () => ({ z: SPELLINGS, a: `it is ${SECRET}`, [SECRET]: 1 })),
    define('test.fail', async () => {
      throw new RuntimeError('tool_failed', `refused ${SECRET}`, {
        details: { z: SECRET, a: ['x', encodeURIComponent(SECRET)] },
      });
    }),
    define('test.drown', async () => ({ content: `${SECRET} in much text. `.repeat(20_000) })),
    define('test.hear', async ({ value = '' }) => {
      heard.push(value);
      return { said: value };
    }),
  ];
}

const STEPS: ScriptInput['steps'] = [
  { toolCalls: [{ tool: 'test.answer', input: {}, callId: 'c1' }] },
  { toolCalls: [{ tool: 'test.fail', input: {}, callId: 'c2' }] },
  { toolCalls: [{ tool: 'test.drown', input: {}, callId: 'c3' }] },
  {
    text: `I say ${SECRET}`,
    toolCalls: [{ tool: 'test.hear', input: { value: SECRET }, callId: 'c4' }],
  },
  { text: 'done' },
];

interface Opening {
  readonly root: string;
  readonly gates?: Readonly<Record<number, Promise<void>>>;
  readonly heard?: string[];
}

async function openOn({ root, gates = {}, heard = [] }: Opening) {
  const model = createScriptedModel({ steps: STEPS }, { gates });
  const tools = createTools(heard);
  const runtime = await openTestRuntime(model, {
    root,
    tools,
    config: { tools: { granted: tools.map(({ name }) => name) } },
  });
  open.push(runtime);
  return { model, runtime };
}

async function untilAsked(requests: readonly ModelRequest[], count: number): Promise<void> {
  await expect.poll(() => requests.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count);
}

test('the provider gets what is stored: live, and after a restart the very same again', async () => {
  const root = await openTempRoot();
  roots.push(root);
  const heard: string[] = [];
  const last = STEPS.length - 1;
  const first = await openOn({
    root: root.path,
    heard,
    gates: { [last]: new Promise<void>(() => {}) },
  });
  await first.runtime.secrets.put('test/known', SECRET);
  await first.runtime.agents.update(DEFAULT_AGENT_ID, { instructions: `never say ${SECRET}` });
  const { id: sessionId } = await first.runtime.sessions.start(PLACE);
  const { run } = await first.runtime.runs.submit({
    agentId: DEFAULT_AGENT_ID,
    sessionId,
    message: `use ${SECRET} and ${encodeURIComponent(SECRET)}`,
    source: 'test',
  });
  await untilAsked(first.model.requests, STEPS.length);
  await first.runtime.close({ graceMs: 0 });

  const second = await openOn({ root: root.path });
  await second.runtime.awaitEnd(run.id);

  const live = first.model.requests.at(-1);
  expect(second.model.requests).toHaveLength(1);
  const { messages, system } = second.model.requests[0] as ModelRequest;
  expect(JSON.stringify(messages)).toBe(JSON.stringify(live?.messages));
  expect(system).toBe(live?.system);
  for (const spelling of SPELLINGS) {
    expect(JSON.stringify(first.model.requests)).not.toContain(spelling);
  }
  expect(messages.map((message) => message.role).join(' ')).toBe(
    'user assistant tool assistant tool assistant tool assistant tool',
  );
  expect(JSON.stringify(messages)).toContain('artifact');
  // The call itself is made with what the model said.
  expect(heard).toEqual([SECRET]);
});
