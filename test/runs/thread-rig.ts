import type { RunId } from '../../src/core/ids.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Message, Model, ToolDescription } from '../../src/core/loop/model.ts';
import type { Principal } from '../../src/core/principal.ts';
import type { Run, RunStatus } from '../../src/core/runs/run.ts';
import type { CreateThreadRun } from '../../src/core/threads/threads.ts';
import type { TestRuntime } from '../support/open-test-runtime.ts';
import { untilAborted } from '../support/until-aborted.ts';

export const ADA: Principal = { kind: 'user', id: 1 };
export const GRACE: Principal = { kind: 'guest', scope: 'grace' };
export const THREAD = 'thread_1';
const USAGE = { inputTokens: 1, outputTokens: 1 };

export interface TalkingModel extends Model {
  readonly requests: readonly (readonly Message[])[];
  readonly offered: readonly (readonly ToolDescription[])[];
  /** Lets an answer to `wait…` go on. */
  release(): void;
  /** Resolves when the model hangs in an answer to `wait…`. */
  readonly held: Promise<void>;
}

/** Answers messages with `re: …`, calls `tool` for `call tool {…}`, and waits in the middle of `wait…`. */
export function talkingModel(): TalkingModel {
  const requests: (readonly Message[])[] = [];
  const offered: (readonly ToolDescription[])[] = [];
  const gate = createGate();
  const held = createGate();
  return {
    provider: 'talking',
    name: 'test',
    toolCalls: 'native',
    requests,
    offered,
    held: held.opened,
    release: gate.open,
    async *stream({ messages, tools }, signal) {
      requests.push(messages);
      offered.push(tools);
      const last = messages.at(-1);
      const text = last?.text ?? '';
      const [, tool, input] = /^call (\S+) (.*)$/.exec(text) ?? [];
      if (last?.role === 'user' && tool !== undefined) {
        const call = { callId: `call_${requests.length}`, tool, input: JSON.parse(input ?? '{}') };
        yield { type: 'tool_call', call };
        yield { type: 'finish', reason: 'tool_calls', usage: USAGE };
        return;
      }
      yield { type: 'text', delta: 're: ' };
      if (text.startsWith('wait')) {
        held.open();
        await Promise.race([gate.opened, untilAborted(signal)]);
      }
      yield { type: 'text', delta: text };
      yield { type: 'finish', reason: 'stop', usage: USAGE };
    },
  };
}

export function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** One run of a thread, driven as a product would. */
export function driveThread(runtime: TestRuntime, principal: Principal = ADA) {
  let frames = 0;
  return {
    async create(fields: Partial<CreateThreadRun> = {}): Promise<Run> {
      const { run } = await runtime.threads.create({
        threadId: THREAD,
        principal,
        autoFinish: false,
        clientTools: [],
        ...fields,
      });
      return run;
    },

    send(runId: RunId, type: string, payload: JsonObject = {}) {
      frames += 1;
      const frameId = `frm_${frames}`;
      return runtime.threads.accept({ runId, threadId: THREAD, principal, frameId, type, payload });
    },

    say(runId: RunId, text: string) {
      return this.send(runId, 'user_message', { text });
    },

    /** Waits until the run has this status and, at rest, nothing left to read. */
    async awaitStatus(runId: RunId, status: RunStatus): Promise<Run> {
      const deadline = Date.now() + 10_000;
      for (;;) {
        const run = await runtime.runs.get(runId);
        if (run.status === status) return run;
        if (Date.now() > deadline) throw new Error(`run is ${run.status}, not ${status}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },

    async types(runId: RunId): Promise<string[]> {
      const events = await runtime.events(runId);
      return events.map(({ type }) => type).filter((type) => type !== 'model.delta');
    },
  };
}
