import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { RuntimeError } from '../../src/core/errors.ts';
import type { EventType } from '../../src/core/events/event.ts';
import { DEFAULT_AGENT_ID, type RunId, type SessionId } from '../../src/core/ids.ts';
import type { Message, Model } from '../../src/core/loop/model.ts';
import { countChars } from '../../src/core/sessions/cut-text.ts';
import type { SessionMessage } from '../../src/core/sessions/session.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';
import { TEST_ENGINES, type TestEngine } from '../support/test-engines.ts';
import { untilAborted } from '../support/until-aborted.ts';

const open: TestRuntime[] = [];
const roots: TempRoot[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
  await Promise.all(roots.splice(0).map((root) => root.remove()));
});

const SESSION = 'session_1' as SessionId;
const PLACE = { agentId: DEFAULT_AGENT_ID, channel: 'http', userId: 'ada', roomId: 'dev' };
const USAGE = { inputTokens: 0, outputTokens: 0 };
const TOOL = 'report.make';

/** Calls a tool with the messages that ask for it, answers the others, and remembers what it was asked. */
interface Recording extends Model {
  readonly requests: readonly (readonly Message[])[];
}

function recordingModel(answer: (message: string) => string = (message) => `re: ${message}`) {
  const requests: (readonly Message[])[] = [];
  const model: Recording = {
    provider: 'recording',
    name: 'test',
    toolCalls: 'native',
    requests,
    async *stream({ messages }) {
      requests.push(messages);
      const last = messages.at(-1);
      if (last?.role === 'user' && last.text.startsWith('call ')) {
        const input = { size: Number(last.text.slice(5)) };
        yield { type: 'tool_call', call: { callId: 'call_1', tool: TOOL, input } };
        yield { type: 'finish', reason: 'tool_calls', usage: USAGE };
        return;
      }
      yield { type: 'text', delta: answer(last?.text ?? '') };
      yield { type: 'finish', reason: 'stop', usage: USAGE };
    },
  };
  return model;
}

const reportTool = defineTool<{ size: number }, object>({
  name: TOOL,
  description: 'makes a report',
  effect: 'read',
  input: z.object({ size: z.number() }),
  summarize: ({ size }) => `made ${size}`,
  async execute({ size }) {
    if (size < 0) throw new RuntimeError('tool_failed', 'no such report');
    return { report: 'r'.repeat(size) };
  },
});

/** A store that is shared is taken over when the lease of whoever died has expired. */
const LEASE_MS = 1_000;

type Ground = Pick<NonNullable<Parameters<typeof openTestRuntime>[1]>, 'root' | 'env'>;

async function openRuntime(model: Model, ground: Ground): Promise<TestRuntime> {
  const runtime = await openTestRuntime(model, {
    ...ground,
    tools: [reportTool],
    config: { tools: { granted: [TOOL] }, engine: { lease_ms: LEASE_MS } },
  });
  open.push(runtime);
  if (!(await runtime.storage.sessions.find(SESSION))) {
    await runtime.storage.sessions.create(PLACE, SESSION);
  }
  return runtime;
}

async function say(runtime: TestRuntime, message: string): Promise<RunId> {
  const { run } = await runtime.runs.submit({
    agentId: DEFAULT_AGENT_ID,
    message,
    source: 'test',
    sessionId: SESSION,
  });
  return run.id;
}

async function ask(runtime: TestRuntime, message: string) {
  return runtime.awaitEnd(await say(runtime, message));
}

async function stored(runtime: TestRuntime): Promise<SessionMessage[]> {
  return runtime.storage.sessions.readMessages(SESSION, { limit: 100 });
}

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`Sessions on ${engine.name}`, () => describeContext(engine));
}

function describeContext(engine: TestEngine): void {
  test('the model hears what was said before, tool results normalised, then the message itself', async () => {
    const model = recordingModel();
    const runtime = await openRuntime(model, { env: await engine.openEnv() });

    await ask(runtime, 'call 3');
    await ask(runtime, 'call -1');
    await ask(runtime, 'and now?');

    expect(model.requests.at(-1)).toEqual([
      { role: 'user', text: 'call 3' },
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ callId: 'call_1', tool: TOOL, input: { size: 3 } }],
      },
      {
        role: 'tool',
        callId: 'call_1',
        tool: TOOL,
        ok: true,
        text: 'tool report.make result (call_1)\nsummary: made 3\noutput: {"report":"rrr"}',
      },
      { role: 'assistant', text: 're: {"report":"rrr"}', toolCalls: [] },
      { role: 'user', text: 'call -1' },
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ callId: 'call_1-2', tool: TOOL, input: { size: -1 } }],
      },
      {
        role: 'tool',
        callId: 'call_1-2',
        tool: TOOL,
        ok: false,
        text: 'tool report.make result (call_1-2)\nerror: tool_failed: no such report',
      },
      { role: 'assistant', text: 're: error tool_failed: no such report', toolCalls: [] },
      { role: 'user', text: 'and now?' },
    ]);
  });

  test('messages are stored with who said them, and with the call they belong to', async () => {
    const runtime = await openRuntime(recordingModel(), { env: await engine.openEnv() });

    const run = await ask(runtime, 'call 2');

    const common = { exchange: 1, runId: run.id, status: undefined };
    const messages = (await stored(runtime)).map(({ atMs: _, position: __, ...rest }) => rest);
    expect(messages).toEqual([
      { ...common, role: 'user', content: 'call 2', toolName: undefined, toolCallId: undefined },
      {
        ...common,
        role: 'tool',
        content: expect.any(String),
        toolName: TOOL,
        toolCallId: 'call_1',
      },
      {
        ...common,
        role: 'assistant',
        content: 're: {"report":"rr"}',
        toolName: undefined,
        toolCallId: undefined,
      },
    ]);
    expect(JSON.parse(messages[1]?.content ?? '')).toEqual({
      tool: TOOL,
      id: 'call_1',
      summary: 'made 2',
      output: '{"report":"rr"}',
      error: '',
      error_code: '',
      error_message: '',
      arguments: '{"size":2}',
      effect: 'read',
    });
  });

  test('a run that fails says so in its session, and the next one hears it', async () => {
    const model = recordingModel((message) => {
      if (message === 'break') throw new RuntimeError('provider_misconfigured', 'no key is set');
      return 'fine';
    });
    const runtime = await openRuntime(model, { env: await engine.openEnv() });

    await ask(runtime, 'break');
    await ask(runtime, 'again');

    const failure =
      'This request failed: no key is set (provider_misconfigured). ' +
      "Set the model provider's key or choose another model, then send the message again.";
    expect(model.requests.at(-1)).toEqual([
      { role: 'user', text: 'break' },
      { role: 'assistant', text: failure, toolCalls: [] },
      { role: 'user', text: 'again' },
    ]);
    expect((await stored(runtime)).map(({ role, status }) => [role, status])).toEqual([
      ['user', undefined],
      ['assistant', 'failed'],
      ['user', undefined],
      ['assistant', undefined],
    ]);
  });

  test('a second message waits for the first, and one cancelled in the queue is on record', async () => {
    const gate = deferred();
    const model = recordingModel();
    const held: Model = {
      ...model,
      async *stream(request, signal) {
        await gate.promise;
        yield* model.stream(request, signal);
      },
    };
    const runtime = await openRuntime(held, { env: await engine.openEnv() });

    const first = await say(runtime, 'one');
    const second = await say(runtime, 'two');
    const third = await say(runtime, 'three');
    const { run: cancelled } = await runtime.runs.cancel({
      runId: second,
      reason: 'no longer needed',
      actor: 'user',
    });
    gate.resolve();
    await runtime.awaitEnd(first);
    await runtime.awaitEnd(third);

    const note = 'This request was cancelled before it was finished. Send it again to start over.';
    expect(cancelled.status).toBe('cancelled');
    expect(model.requests).toEqual([
      [{ role: 'user', text: 'one' }],
      [
        { role: 'user', text: 'one' },
        { role: 'assistant', text: 're: one', toolCalls: [] },
        { role: 'user', text: 'two' },
        { role: 'assistant', text: note, toolCalls: [] },
        { role: 'user', text: 'three' },
      ],
    ]);
  });

  test('a long conversation stays within its caps and keeps a summary of what it dropped', async () => {
    const model = recordingModel(() => `done ${'y'.repeat(5_000)}`);
    const runtime = await openRuntime(model, { env: await engine.openEnv() });

    await ask(runtime, 'the goal');
    for (let turn = 0; turn < 6; turn += 1) await ask(runtime, 'call 50000');
    await ask(runtime, 'last');

    const history = model.requests.at(-1)?.slice(0, -1) ?? [];
    const [lead] = history;
    expect(history.reduce((sum, { text }) => sum + countChars(text), 0)).toBeLessThanOrEqual(
      12_000,
    );
    expect(Math.max(...history.map(({ text }) => countChars(text)))).toBe(1_400);
    expect(lead?.text.split('\n').slice(0, 3)).toEqual([
      'Earlier in this conversation (8 messages, shortened):',
      '#1 user: the goal',
      `#2 assistant: done ${'y'.repeat(101)}...`,
    ]);
    expect(history.at(-1)).toEqual({
      role: 'assistant',
      text: `done ${'y'.repeat(1_392)}...`,
      toolCalls: [],
    });
    expect(history.at(-2)).toMatchObject({
      role: 'tool',
      text: expect.stringMatching(
        /^tool report\.make result \(call_1(-\d)?\)\nsummary: made 50000\n/,
      ),
    });
    expect((await runtime.storage.sessions.findSummary(SESSION))?.text).toBe(lead?.text);
  });

  test('a run that is taken up after a crash hears the same conversation', async () => {
    const root = await openTempRoot();
    roots.push(root);
    const model = recordingModel(() => `done ${'y'.repeat(3_000)}`);
    const heard = deferred();
    const mute: Model = {
      ...model,
      async *stream(request, signal) {
        const last = request.messages.at(-1);
        if (last?.text !== '{"report":"rrr"}') return yield* model.stream(request, signal);
        lost = request.messages;
        heard.resolve();
        await untilAborted(signal);
        throw signal.reason;
      },
    };
    let lost: readonly Message[] = [];
    const ground = { root: root.path, env: await engine.openEnv() };
    const first = await openRuntime(mute, ground);
    for (let turn = 0; turn < 12; turn += 1) await ask(first, 'call 2');
    const id = await say(first, 'call 3');
    await heard.promise;
    await untilRecorded(first, id, 'tool.result');
    await crash(first);

    const again = recordingModel(() => 'done');
    const runtime = await openRuntime(again, ground);
    const run = await runtime.awaitEnd(id);

    expect(run.status).toBe('completed');
    expect(again.requests).toEqual([lost]);
    expect(lost.slice(-3)).toEqual([
      { role: 'user', text: 'call 3' },
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ callId: 'call_1-4', tool: TOOL, input: { size: 3 } }],
      },
      { role: 'tool', callId: 'call_1-4', tool: TOOL, ok: true, text: '{"report":"rrr"}' },
    ]);
    expect(lost[0]?.text).toMatch(/^Earlier in this conversation \(\d+ messages, shortened\):\n/);
  });
}

async function untilRecorded(runtime: TestRuntime, id: RunId, wanted: EventType): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  for await (const events of runtime.runs.tail({ runId: id, after: 0, idleMs: 10_000, signal })) {
    if (events.some(({ type }) => type === wanted)) return;
  }
  throw new Error(`${wanted} was not recorded`);
}

/** From here on nothing reaches the run's log: as if the process died. */
async function crash(runtime: TestRuntime): Promise<void> {
  const fail = () => Promise.reject(new RuntimeError('storage_unavailable', 'the disk is gone'));
  Object.assign(runtime.storage.runs, { append: fail, finish: fail, release: fail });
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
