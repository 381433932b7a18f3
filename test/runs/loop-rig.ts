import * as z from 'zod';
import { systemClock } from '../../src/core/clock.ts';
import { createIds } from '../../src/core/create-ids.ts';
import type { Event, EventDraft } from '../../src/core/events/event.ts';
import type { ReadPage } from '../../src/core/events/event-log.ts';
import { createSeal } from '../../src/core/events/seal.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../../src/core/ids.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { createPriceTable } from '../../src/core/loop/answers/price.ts';
import { applyFact } from '../../src/core/loop/apply-fact.ts';
import { createBrief } from '../../src/core/loop/briefing.ts';
import { createExecution, type Execution, ghostOf } from '../../src/core/loop/execution.ts';
import type { Model } from '../../src/core/loop/model.ts';
import { type Reached, type RunLoopDeps, runLoop } from '../../src/core/loop/run-loop.ts';
import { type Fact, INITIAL_STATE, type RunState } from '../../src/core/loop/run-state.ts';
import { createRedactor } from '../../src/core/redact/create-redactor.ts';
import type { Journal } from '../../src/core/runs/journal.ts';
import { NO_TOTALS, type Run } from '../../src/core/runs/run.ts';
import type { CancelDrafts } from '../../src/core/runs/run-store.ts';
import { DEFAULT_CONTEXT_LIMITS } from '../../src/core/sessions/context-limits.ts';
import { noMetrics, noTracer } from '../../src/core/telemetry.ts';
import type { ClientTool } from '../../src/core/threads/client-tool.ts';
import { createToolRegistry } from '../../src/core/tools/registry.ts';
import { DEFAULT_TOOL_LIMITS, defineTool } from '../../src/core/tools/tool.ts';
import { createToolRunner } from '../../src/core/tools/tool-runner.ts';

interface LoggedFact extends Fact {
  readonly seq: number;
}

export interface LoopRig {
  readonly log: readonly LoggedFact[];
  /** The live state of the run, of the process that has it now. */
  readonly state: RunState;
  /** What the log and the notes on their way into it tell. */
  fold(): RunState;
  /** Puts a frame on record, as a caller would at any moment. */
  send(type: string, payload?: JsonObject): void;
  /** Executes the run until it rests or has reached its end. */
  run(): Promise<Reached>;
  /** What was not on record yet is lost, and somebody else goes on from the log. */
  crash(): void;
}

export interface LoopRigOptions {
  readonly model: Model;
  readonly clientTools?: readonly ClientTool[];
  readonly staysOpen?: boolean;
  readonly limits?: Partial<RunLoopDeps['limits']>;
  /** Called wherever the loop waits for something: the moment for a frame, or a crash. */
  readonly onWait?: () => void;
}

const RUN_ID = 'run_1' as RunId;
const ids = createIds(() => Date.now());
const redactor = createRedactor();
/** As the journal would note it; what redaction does is not what this rig is about. */
const seal = createSeal({
  ids,
  redactor: { redact: (value) => ({ value, paths: [] }), redactText: (text) => text },
});

/** One run of a thread in the loop's hands, on a log that is an array. */
export function openLoopRig(options: LoopRigOptions): LoopRig {
  const { clientTools = [], staysOpen = true } = options;
  const log: LoggedFact[] = [];
  let current = openProcess(log, options);
  let frames = 0;
  let execution: Execution | undefined;
  const fold = () =>
    [...log, ...current.notes].reduce((state, fact) => applyFact(state, fact), INITIAL_STATE);
  const encoded = clientTools.map(({ name }) => ({ name, description: '', input_schema: {} }));
  put(log, { type: 'run.created', payload: { thread_id: 'thread_1', client_tools: encoded } });

  return {
    log,
    get state() {
      return execution?.state ?? fold();
    },
    fold,
    send(type, payload = {}) {
      frames += 1;
      put(log, { type: 'frame.accepted', payload: { frame_id: `frm_${frames}`, type, payload } });
    },
    run() {
      const control = { signal: current.control.signal, guard: undefined, hasMail: false };
      const { journal, deps } = current;
      const run = toRun(staysOpen);
      execution = createExecution({ run, agent: ghostOf(run), journal, control, state: fold() });
      return runLoop(deps, execution);
    },
    crash() {
      current.control.abort(new Error('killed'));
      current = openProcess(log, options);
    },
  };
}

function put(log: LoggedFact[], { type, payload }: EventDraft): void {
  const stored = JSON.parse(JSON.stringify(payload)) as JsonObject;
  log.push({ type, payload: stored, redactions: [], atMs: Date.now(), seq: log.length + 1 });
}

/** What dies with whoever has the run in hand: notes that are not on record, and everything that waits. */
function openProcess(log: LoggedFact[], options: LoopRigOptions) {
  const control = new AbortController();
  const notes: EventDraft[] = [];

  async function wait(): Promise<void> {
    await Promise.resolve();
    options.onWait?.();
    if (control.signal.aborted) throw control.signal.reason;
  }
  async function commit(): Promise<void> {
    await wait();
    for (const note of notes.splice(0)) put(log, note);
  }
  const framesAfter = (after: number) =>
    log.filter(({ type, seq }) => type === 'frame.accepted' && seq > after);

  const journal: Journal = {
    note(draft) {
      notes.push(draft);
      return seal(draft);
    },
    noteEffect: () => {},
    commit,
    commitSoon: commit,
    barrier: commit,
    finish: async () => 'finished',
    park: async () => {},
    async rest(framesThrough) {
      await commit();
      return framesAfter(framesThrough).length > 0 ? 'has_frames' : 'rested';
    },
  };
  const events = {
    async readFrames(_runId: RunId, { after, limit }: ReadPage) {
      await wait();
      return framesAfter(after).slice(0, limit) as unknown as Event[];
    },
  };
  const runs = {
    async requestCancel(_runId: RunId, { requested }: CancelDrafts) {
      const payload = JSON.parse(requested.payload) as JsonObject;
      put(log, { type: requested.type, payload });
      return { run: toRun(true), recorded: true };
    },
  };
  return { control, notes, journal, deps: toDeps(options, { events, runs }) };
}

/** `look` reads and answers with its arguments; `fail` fails. */
const TOOLS = ['look', 'fail'].map((name) =>
  defineTool({
    name,
    description: '',
    effect: 'read',
    limits: DEFAULT_TOOL_LIMITS,
    source: 'test',
    input: z.looseObject({}),
    async execute(input) {
      if (name === 'fail') throw new Error('no');
      return { ...input };
    },
    summarize: () => '',
  }),
);

function toDeps(
  { model, limits }: LoopRigOptions,
  stores: Pick<RunLoopDeps, 'events' | 'runs'>,
): RunLoopDeps {
  const registry = createToolRegistry(TOOLS);
  const common = { registry, clock: systemClock, tracer: noTracer, metrics: noMetrics };
  const tools = createToolRunner({
    ...common,
    ids,
    async invoke({ tool, input }) {
      if (tool.name === 'look') return { ok: true, output: input, summary: '' };
      return { ok: false, error: { code: 'tool_failed', message: 'no', retryable: false } };
    },
    recall: async () => undefined,
    timeouts: () => ({ defaultMs: 1_000, maxMs: 1_000 }),
  });
  return {
    ...common,
    ...stores,
    tools,
    ids,
    redactor,
    seal: createSeal({ ids, redactor }),
    effects: { find: async () => undefined },
    approvalTtlMs: 1_000,
    models: { get: async () => model, describe: async () => model },
    limits: {
      maxTurns: 1_000,
      maxDurationMs: 60_000,
      maxTokens: 1_000_000,
      maxCostUsd: null,
      maxRecoveries: 1_000,
      ...limits,
    },
    retry: { maxRetries: 2, initialDelayMs: 0, maxDelayMs: 0 },
    random: () => 0,
    prices: createPriceTable({}),
    maxOutputTokens: 100,
    deltaBatchMs: 1_000,
    context: () => DEFAULT_CONTEXT_LIMITS,
    brief: createBrief({
      registry,
      redactor,
      isGranted: () => true,
      describeGranted: () => registry.describe(() => true),
      skills: { listForPrompt: async () => [] },
    }),
  };
}

function toRun(staysOpen: boolean): Run {
  return {
    id: RUN_ID,
    agentId: DEFAULT_AGENT_ID,
    owner: 'user:1',
    sessionId: undefined,
    projectId: undefined,
    exchange: undefined,
    thread: { id: 'thread_1', staysOpen },
    forkedFrom: undefined,
    source: 'internal',
    status: 'running',
    message: '',
    lastSeq: 0,
    output: undefined,
    stopReason: undefined,
    error: undefined,
    provider: undefined,
    model: undefined,
    totals: NO_TOTALS,
    createdAtMs: 0,
    startedAtMs: 0,
    updatedAtMs: 0,
    endedAtMs: undefined,
  };
}
