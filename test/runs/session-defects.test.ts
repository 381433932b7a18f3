import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { RuntimeError } from '../../src/core/errors.ts';
import { DEFAULT_AGENT_ID, type RunId, type SessionId } from '../../src/core/ids.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

const SESSION = 'session_1' as SessionId;
const PLACE = { agentId: DEFAULT_AGENT_ID, channel: 'http', userId: 'ada', roomId: 'dev' };
const TOKEN = 'ghp_Zq8v1LhW3nRt5yXkZq8v1LhW3nRt5yXkAb12';

const TOOL = 'report.file';
const WRITE = {
  name: TOOL,
  description: 'files a report',
  effect: 'write',
  input: z.object({}),
} as const;

const open: TestRuntime[] = [];
const roots: TempRoot[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
  await Promise.all(roots.splice(0).map((root) => root.remove()));
});

type Options = Parameters<typeof openTestRuntime>[1];

async function openRuntime(answers: readonly string[], options?: Options): Promise<TestRuntime> {
  const model = createScriptedModel({ steps: answers.map((text) => ({ text })) });
  const runtime = await openTestRuntime(model, options);
  open.push(runtime);
  return runtime;
}

async function openSession(answers: readonly string[], options?: Options): Promise<TestRuntime> {
  const runtime = await openRuntime(answers, options);
  await runtime.storage.sessions.create(PLACE, SESSION);
  return runtime;
}

async function say(runtime: TestRuntime, message: string): Promise<RunId> {
  const request = { agentId: DEFAULT_AGENT_ID, message, source: 'test', sessionId: SESSION };
  return (await runtime.runs.submit(request)).run.id;
}

async function transcript(runtime: TestRuntime): Promise<string[]> {
  const messages = await runtime.storage.sessions.readMessages(SESSION, { limit: 100 });
  return messages.map(({ role, status, content }) => `${status ?? role}: ${content}`);
}

test('a run whose conversation can not be read fails instead of holding its session up', async () => {
  const runtime = await openSession(['unused', 'fine']);
  const { sessions } = runtime.storage;
  const { readMessages } = sessions;
  let isBroken = true;
  Object.assign(sessions, {
    readMessages: (...args: Parameters<typeof readMessages>) => {
      if (isBroken) throw new SyntaxError('not JSON');
      return readMessages(...args);
    },
  });

  const failed = await runtime.awaitEnd(await say(runtime, 'one'));
  isBroken = false;
  const next = await runtime.awaitEnd(await say(runtime, 'two'));

  const error = { code: 'internal', message: 'the runtime failed; see its log' };
  expect(failed).toMatchObject({ status: 'failed', error });
  expect(next).toMatchObject({ status: 'completed', output: 'fine' });
  expect(await transcript(runtime)).toEqual([
    'user: one',
    'failed: This request failed: the runtime failed; see its log (internal). ' +
      "See the runtime's log, then send the message again.",
    'user: two',
    'assistant: fine',
  ]);
});

test('a defect at the end of a run puts nothing into its row that is not in its log', async () => {
  const runtime = await openSession([`the token is ${TOKEN}`]);
  const { runs } = runtime.storage;
  const { finish } = runs;
  let isBroken = true;
  Object.assign(runs, {
    finish: async (...args: Parameters<typeof finish>) => {
      if (!isBroken) return finish(...args);
      isBroken = false;
      throw new RuntimeError('internal', 'a defect');
    },
  });

  const run = await runtime.awaitEnd(await say(runtime, 'one'));

  const end = (await runtime.events(run.id)).at(-1);
  expect(run).toMatchObject({ status: 'failed', error: { code: 'internal' } });
  expect(run.output).toBe(end?.payload['output']);
  expect(run.output).not.toContain(TOKEN);
});

test('a cancelled run ends also when its interrupted call can not be looked up', async () => {
  const root = await openTempRoot();
  roots.push(root);
  const started = deferred();
  const config = { tools: { granted: [TOOL] } };
  const stuck = defineTool({
    ...WRITE,
    execute: () => {
      started.resolve();
      return new Promise<never>(() => {});
    },
  });
  const first = await openSession([], { root: root.path, config, tools: [stuck] });
  const id = await say(first, `/tool ${TOOL} {}`);
  await started.promise;
  await crashCancelled(first, id);

  const repair = () => {
    throw new TypeError('a defect of the tool');
  };
  const broken = defineTool({ ...WRITE, repair, execute: async () => ({}) });
  const runtime = await openRuntime([], { root: root.path, config, tools: [broken] });
  const run = await runtime.awaitEnd(id);

  expect(run).toMatchObject({ status: 'failed', error: { code: 'internal' } });
});

/** A wish to cancel is the last thing that reaches the store before the process dies. */
async function crashCancelled(runtime: TestRuntime, runId: RunId): Promise<void> {
  const fail = () => Promise.reject(new RuntimeError('storage_unavailable', 'the disk is gone'));
  Object.assign(runtime.storage.runs, { append: fail, finish: fail, release: fail });
  await runtime.runs.cancel({ runId, reason: 'enough', actor: 'user' });
  await runtime.close({ graceMs: 0 });
  open.splice(open.indexOf(runtime), 1);
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
