import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { RuntimeError } from '../../src/core/errors.ts';
import type { RunId } from '../../src/core/ids.ts';
import { toStoredKey } from '../../src/core/reliability/idempotency/idempotency-key.ts';
import { deriveKey, digestPayload } from '../../src/core/reliability/idempotency/key-digests.ts';
import { DEFAULT_RELIABILITY } from '../../src/core/reliability/settings.ts';
import { defineTool, type ToolDefinition } from '../../src/core/tools/tool.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

const open: TestRuntime[] = [];
const roots: TempRoot[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
  await Promise.all(roots.splice(0).map((root) => root.remove()));
});

const TOOL = 'mail.send';
const input = { to: 'ada' };
const steps = [{ toolCalls: [{ tool: TOOL, callId: 'm', input }] }, { text: 'told' }];
const tools = { granted: [TOOL] };
const reliable = { mode: 'all' };

type Mail = ToolDefinition<{ to: string }, object>;

function mailTool(definition: Partial<Mail>) {
  return defineTool<{ to: string }, object>({
    name: TOOL,
    description: 'sends',
    effect: 'write',
    input: z.object({ to: z.string() }),
    execute: async () => ({ id: 7 }),
    ...definition,
  });
}

async function newRoot(): Promise<string> {
  const root = await openTempRoot();
  roots.push(root);
  return root.path;
}

async function resultOf(runtime: TestRuntime, runId: RunId) {
  const events = await runtime.events(runId);
  return events.find((event) => event.type === 'tool.result')?.payload;
}

async function effectOf(runtime: TestRuntime, runId: RunId) {
  return (await runtime.effects.list({ runId, limit: 5 })).effects[0];
}

/** From here on nothing reaches the run's log: as if the process died, but for what was sent. */
function breakLog(runtime: TestRuntime): void {
  const fail = () => Promise.reject(new RuntimeError('storage_unavailable', 'the disk is gone'));
  Object.assign(runtime.storage.runs, { append: fail, finish: fail });
}

/** Makes the call in one process that loses its log while the tool runs, and takes the run up in another. */
async function interrupt(
  definition: Partial<Mail>,
  reopened: { readonly tool?: Partial<Mail>; readonly mode?: string } = {},
) {
  const root = await newRoot();
  let calls = 0;
  const runtimes: TestRuntime[] = [];
  const execute: Mail['execute'] = async () => {
    calls += 1;
    for (const runtime of runtimes) breakLog(runtime);
    return { id: 7 };
  };
  const first = await openTestRuntime(createScriptedModel({ steps }), {
    root,
    tools: [mailTool({ ...definition, execute })],
    config: { tools, tool_reliability: reliable },
  });
  runtimes.push(first);
  const { id } = await first.submit('send');
  await until(async () => calls >= 1 && first.runner.activeCount === 0);
  await first.close({ graceMs: 0 });
  runtimes.length = 0;
  const again: Mail['execute'] = async () => {
    calls += 1;
    return { id: 8 };
  };
  const second = await openTestRuntime(createScriptedModel({ steps }), {
    root,
    tools: [mailTool({ ...definition, execute: again, ...reopened.tool })],
    config: { tools, tool_reliability: { mode: reopened.mode ?? 'all' } },
  });
  open.push(second);
  await second.awaitEnd(id);
  return { runtime: second, id, calls: () => calls };
}

test('a sent call whose result was lost is answered from the dedupe record, and not called unknown', async () => {
  const { runtime, id, calls } = await interrupt({ dedupe: true });

  expect(calls()).toBe(1);
  expect(await resultOf(runtime, id)).toMatchObject({ ok: true, output: { id: 7 } });
  expect(await effectOf(runtime, id)).toMatchObject({ status: 'confirmed' });
});

test('a sent call without a record is unknown', async () => {
  const { runtime, id, calls } = await interrupt({});

  expect(calls()).toBe(1);
  expect(await resultOf(runtime, id)).toMatchObject({ error: { code: 'outcome_unknown' } });
  expect(await effectOf(runtime, id)).toMatchObject({ status: 'unknown' });
});

test('a call that was sent without a key is not sent again when its service is said to honour keys since', async () => {
  const { runtime, id, calls } = await interrupt({}, { tool: { sendsKey: true } });

  expect(calls()).toBe(1);
  expect(await resultOf(runtime, id)).toMatchObject({ error: { code: 'outcome_unknown' } });
});

test('an idempotent call that was sent, and is refused when it is made again, stays unknown', async () => {
  const execute = async () => {
    throw new RuntimeError('tool_failed', 'no');
  };
  const { runtime, id } = await interrupt({ idempotent: true }, { tool: { execute } });

  expect(await resultOf(runtime, id)).toMatchObject({ ok: false });
  expect(await effectOf(runtime, id)).toMatchObject({ status: 'unknown' });
});

test("a call that was never sent is not held up by a dead process's claim on its key", async () => {
  let calls = 0;
  const execute: Mail['execute'] = async () => {
    calls += 1;
    return { id: calls };
  };
  const runtime = await openTestRuntime(createScriptedModel({ steps }), {
    tools: [mailTool({ dedupe: true, execute })],
    config: {
      tools,
      tool_reliability: reliable,
      policy: { rules: [{ tool: TOOL, decision: 'ask' }] },
    },
  });
  open.push(runtime);
  const { id } = await runtime.submit('send');
  const approval = await untilAsked(runtime, id);
  const windowMs = DEFAULT_RELIABILITY.idempotency.keyWindowMs;
  const facts = { toolId: TOOL, payload: input, callerId: `run:${id}`, windowMs };
  const key = deriveKey({ ...facts, atMs: Date.now() });
  await runtime.storage.idempotency.claim({
    storedKey: toStoredKey(TOOL, key),
    toolId: TOOL,
    key,
    digest: digestPayload(input),
    claimId: `${approval.requestId}/dead`,
    leaseMs: 60_000,
    ttlMs: 3_600_000,
    mayTakeOver: false,
  });

  await runtime.approvals.decide(approval.id, { status: 'approved', by: 'ana', note: '' });
  await runtime.awaitEnd(id);

  expect(calls).toBe(1);
  expect(await resultOf(runtime, id)).toMatchObject({ ok: true, output: { id: 1 } });
  expect(await effectOf(runtime, id)).toMatchObject({ status: 'confirmed' });
});

test('an approval holds for the arguments it was given for, and for no others', async () => {
  let calls = 0;
  const root = await newRoot();
  const execute: Mail['execute'] = async () => {
    calls += 1;
    return {};
  };
  const config = { tools, policy: { rules: [{ tool: TOOL, decision: 'ask' }] } };
  const first = await openTestRuntime(createScriptedModel({ steps }), {
    root,
    tools: [mailTool({ execute })],
    config,
  });
  const { id } = await first.submit('send');
  const approval = await untilAsked(first, id);
  await first.close({ graceMs: 0 });
  // Another release of the tool makes something else of the same words.
  const repair = () => ({ to: 'everybody' });
  const second = await openTestRuntime(createScriptedModel({ steps }), {
    root,
    tools: [mailTool({ execute, repair })],
  });
  open.push(second);

  await second.approvals.decide(approval.id, { status: 'approved', by: 'ana', note: '' });
  await second.awaitEnd(id);

  expect(calls).toBe(0);
  expect(await resultOf(second, id)).toMatchObject({ error: { code: 'policy.denied' } });
});

test('a revocation by another process is seen by runs that go on', async () => {
  const model = createScriptedModel({ steps });
  const runtime = await openTestRuntime(model, { tools: [mailTool({})], config: { tools } });
  open.push(runtime);
  const agentId = (await runtime.ask('send')).agentId;
  // Through the store alone, as a command in another process does.
  await runtime.storage.capabilities.set({ agentId, tool: TOOL, effect: 'revoke', by: 'ana' });

  const isDenied = async () => {
    const result = await resultOf(runtime, (await runtime.ask('send')).id);
    return result?.['ok'] === false;
  };

  await until(isDenied);
  const run = await runtime.ask('send');
  expect(await resultOf(runtime, run.id)).toMatchObject({ error: { code: 'policy.denied' } });
});

async function until(isMet: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + 10_000;
  while (!(await isMet())) {
    if (Date.now() > deadlineMs) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function untilAsked(runtime: TestRuntime, runId: RunId) {
  for (const deadlineMs = Date.now() + 10_000; Date.now() < deadlineMs; ) {
    const [approval] = (await runtime.approvals.list({ runId, limit: 1 })).approvals;
    if (approval) return approval;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('nobody asked');
}
