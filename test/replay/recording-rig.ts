import { mkdir, writeFile } from 'node:fs/promises';
import { createRuntime, type Runtime } from '../../src/app.ts';
import { RuntimeError } from '../../src/core/errors.ts';
import { DEFAULT_AGENT_ID, type RunId, type SessionId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import type { Models } from '../../src/core/loop/model.ts';
import { awaitRun } from '../../src/core/runs/await-run.ts';
import { isTerminal, type Run } from '../../src/core/runs/run.ts';
import { putFreshState } from '../support/fresh-state.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { createSeededModel, type PlanKind } from './seeded-model.ts';
import { createSeededTools } from './seeded-tools.ts';

export interface RecordingRig {
  readonly runtime: Runtime;
  submit(kind: PlanKind, seed: number, more?: SubmitMore): Promise<RunId>;
  /** Waits for the ends of all that was submitted, answering questions meanwhile: every other one with no. */
  settle(): Promise<void>;
  /** Calls that wait at the gate. */
  readonly waitingAtGate: number;
  openGate(): void;
  /** All that have ended. */
  listEnded(): Promise<readonly Run[]>;
  close(): Promise<void>;
}

interface SubmitMore {
  readonly message?: string;
  readonly model?: string;
  readonly sessionId?: SessionId;
}

const WAIT_MS = 120_000;

const CONFIG = {
  engine: { max_turns: 8, max_concurrent_runs: 24, max_queued_runs: 5_000, delta_batch_ms: 5 },
  tools: {
    granted: ['test.*', 'fs.*', 'memory.*', 'agent.handoff'],
    granted_to_principals: ['fs.*'],
  },
  policy: {
    mode: 'full',
    rules: [
      { tool: 'test.send', decision: 'ask' },
      { tool: 'test.forbidden', decision: 'deny' },
    ],
  },
  prices: { 'seeded/native': { input_per_million: 3, output_per_million: 15 } },
  sessions: { max_waiting_messages: 200 },
  logging: { level: 'silent' },
};

/** A whole runtime on a temporary database, whose models and tools do as the seeds say. */
export async function openRecordingRig(): Promise<RecordingRig> {
  const temp = await openTempRoot();
  await putFreshState(temp.path);
  await mkdir(`${temp.path}/.openclawssy`, { recursive: true, mode: 0o700 });
  await writeFile(`${temp.path}/.openclawssy/config.json`, JSON.stringify(CONFIG), { mode: 0o600 });
  const gate = createGate();
  const runtime = await createRuntime({
    env: {},
    root: temp.path,
    role: 'server',
    writer: 'inline',
    logger: silentLogger,
    tools: createSeededTools(gate.pass),
    models: createModels(),
  });
  await runtime.agents.create({ id: 'agent_second', name: 'Second', role: 'helper' });
  const submitted: RunId[] = [];

  return {
    runtime,
    get waitingAtGate() {
      return gate.waiting;
    },
    openGate: gate.open,

    async submit(kind, seed, { message = `plan ${kind} ${seed}`, ...more } = {}) {
      const request = { agentId: DEFAULT_AGENT_ID, message, source: 'test', ...more };
      const { run } = await runtime.runs.submit(request);
      submitted.push(run.id);
      return run.id;
    },

    async settle() {
      const done = new AbortController();
      const answering = answerQuestions(runtime, done.signal);
      try {
        const signal = AbortSignal.timeout(WAIT_MS);
        for (const id of submitted.splice(0)) await awaitRun(runtime.runs, id, signal);
      } finally {
        done.abort();
        await answering;
      }
    },

    async listEnded() {
      const all: Run[] = [];
      let before: RunId | undefined;
      do {
        const page = await runtime.storage.runs.list({ limit: 200, ...(before && { before }) });
        all.push(...page.runs.filter(({ status }) => isTerminal(status)));
        before = page.next;
      } while (before);
      return all;
    },

    async close() {
      await runtime.close({ graceMs: 0 });
      await temp.remove();
    },
  };
}

function createModels(): Models {
  const native = createSeededModel('native');
  const text = createSeededModel('text');
  const find = async (reference: string | undefined) => {
    if (reference === 'missing/model') {
      throw new RuntimeError('provider_misconfigured', 'there is no key for missing');
    }
    return reference === 'seeded/text' ? text : native;
  };
  return { get: find, describe: find };
}

function createGate() {
  let open = () => {};
  let waiting = 0;
  let opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    get waiting() {
      return waiting;
    },
    async pass() {
      waiting += 1;
      await opened;
    },
    open() {
      open();
      opened = Promise.resolve();
    },
  };
}

async function answerQuestions({ approvals }: Runtime, signal: AbortSignal): Promise<void> {
  for (let answered = 0; !signal.aborted; ) {
    const { approvals: open } = await approvals.list({ status: 'pending', limit: 50 });
    for (const { id } of open) {
      answered += 1;
      const status = answered % 2 === 0 ? 'denied' : 'approved';
      // One whose run was cancelled meanwhile needs no answer any more.
      await approvals.decide(id, { status, by: 'test', note: '' }).catch(() => {});
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
