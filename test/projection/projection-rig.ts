import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { createIds } from '../../src/core/create-ids.ts';
import type { EventDraft } from '../../src/core/events/event.ts';
import { createSeal } from '../../src/core/events/seal.ts';
import type { AgentId, RunId, WorkerId } from '../../src/core/ids.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { silentLogger } from '../../src/core/log.ts';
import type { ProjectionDocument } from '../../src/core/projection/projection.ts';
import type { ProjectionSink } from '../../src/core/projection/projection-sink.ts';
import {
  createProjector,
  type Projector,
  type ProjectorDeps,
} from '../../src/core/projection/projector.ts';
import { createRunSource } from '../../src/core/projection/run-source.ts';
import { createWorkerSource } from '../../src/core/projection/worker-source.ts';
import { NO_TOTALS } from '../../src/core/runs/run.ts';
import type { LeaseRef, NewRun } from '../../src/core/runs/run-store.ts';
import type { Storage } from '../../src/core/storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { openTempRoot } from '../support/temp-root.ts';

const ids = createIds(() => Date.now());
const seal = createSeal({
  ids,
  redactor: { redact: (value) => ({ value, paths: [] }), redactText: (text) => text },
});

export const draft = (type: EventDraft['type'], payload: JsonObject = {}) =>
  seal({ type, payload });

export const AGENT = 'agent_default' as AgentId;

/** A sink in memory that can be told to fail; the newest of each document, and all of them in order. */
interface TestSink extends ProjectionSink {
  readonly documents: Map<string, JsonObject>;
  readonly written: ProjectionDocument[];
  /** Throws for what it does not like. */
  refuses: (document: ProjectionDocument) => boolean;
  /** Waited for before a document is taken. */
  delay: () => Promise<void>;
}

function createTestSink(): TestSink {
  const sink: TestSink = {
    kind: 'file',
    documents: new Map(),
    written: [],
    refuses: () => false,
    delay: async () => {},
    async write(document) {
      await sink.delay();
      if (sink.refuses(document)) throw new Error(`${document.id} is not wanted`);
      sink.documents.set(document.id, document.summary);
      sink.written.push(document);
    },
  };
  return sink;
}

export interface ProjectionRig {
  readonly storage: Storage;
  readonly sink: TestSink;
  readonly sources: ProjectorDeps['sources'];
  /** Started, and stopped at the end of the test. */
  startProjector(overrides?: Partial<ProjectorDeps>): Projector;
  createRun(fields?: Partial<NewRun>): Promise<LeaseRef>;
  finishRun(lease: LeaseRef): Promise<void>;
  attachWorker(id: string): Promise<void>;
}

export async function openProjectionRig(): Promise<ProjectionRig> {
  const root = await openTempRoot();
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(() => root.remove());
  onTestFinished(() => storage.close());
  const sink = createTestSink();
  const sources = [createRunSource(storage), createWorkerSource(storage)];
  return {
    storage,
    sink,
    sources,
    startProjector(overrides = {}) {
      const projector = createProjector({
        sources,
        store: storage.projections,
        sink,
        clock: systemClock,
        logger: silentLogger,
        owner: randomUUID(),
        intervalMs: () => 10,
        scanMs: () => 60_000,
        ...overrides,
      });
      onTestFinished(() => projector.stop());
      projector.start();
      return projector;
    },
    createRun: (fields) => createRun(storage, fields),
    finishRun: (lease) => finishRun(storage, lease),
    attachWorker: (id) => attachWorker(storage, id),
  };
}

async function createRun({ runs }: Storage, fields: Partial<NewRun> = {}): Promise<LeaseRef> {
  const id: RunId = ids.run();
  const started = draft('run.started');
  const lease = { owner: 'test', leaseMs: 60_000, started };
  const run = { id, agentId: AGENT, source: 'test', message: 'hello', ...fields };
  const made = await runs.create(run, [draft('run.created')], { maxQueued: 1_000_000, lease });
  if (made.outcome !== 'created' || !made.lease) throw new Error(`no run: ${made.outcome}`);
  return { runId: made.run.id, leaseId: made.lease.id };
}

async function finishRun({ runs }: Storage, lease: LeaseRef): Promise<void> {
  const usage = { turns: 1, tool_calls: 0, input_tokens: 5, output_tokens: 7, cost_usd: 0.25 };
  const payload = { status: 'completed', stop_reason: 'completed', output: 'done', usage };
  const totals = { ...NO_TOTALS, turns: 1, inputTokens: 5, outputTokens: 7, costUsd: 0.25 };
  const end = { status: 'completed', stopReason: 'completed', output: 'done', totals } as const;
  const result = await runs.finish(lease, [draft('run.completed', payload)], end);
  if (result.outcome !== 'appended') throw new Error(`run ${lease.runId} refused to finish`);
}

async function attachWorker({ workers }: Storage, id: string): Promise<void> {
  await workers.attach({
    id: id as WorkerId,
    owner: 'user:42',
    adapter: 'in_memory',
    command: undefined,
    workspaceRef: 'workspace://demo',
    codexHomeRef: undefined,
    metadata: {},
    host: undefined,
    maxLive: 100,
  });
}

const WAIT_MS = 10_000;

/** Polls until it holds; says what it last saw when it never does. */
export async function until(holds: () => unknown | Promise<unknown>): Promise<void> {
  const deadlineMs = Date.now() + WAIT_MS;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > deadlineMs) throw new Error(`never held: ${holds.toString()}`);
    await systemClock.sleep(10);
  }
}
