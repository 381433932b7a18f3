import { onTestFinished } from 'vitest';
import { createIds } from '../../src/core/create-ids.ts';
import type { Event, EventDraft, SealedDraft } from '../../src/core/events/event.ts';
import type { EventLog } from '../../src/core/events/event-log.ts';
import { createSeal } from '../../src/core/events/seal.ts';
import type { AgentId, RunId } from '../../src/core/ids.ts';
import { NO_TOTALS, type Run, type RunEnd } from '../../src/core/runs/run.ts';
import type {
  ClaimRequest,
  CreateOptions,
  LeaseRef,
  NewRun,
  RunStore,
} from '../../src/core/runs/run-store.ts';
import type { Storage } from '../../src/core/storage.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** What an engine gives the suites: storage on a fresh, empty, migrated database. */
export interface OpenedStorage {
  readonly storage: Storage;
  /** Closes the newest storage and opens another on the same data. */
  reopen(): Promise<Storage>;
  /** Opens one more storage on the same data while the first is open, as a second process would. */
  openBeside(): Promise<Storage>;
  /** Closes everything that was opened and removes the data. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** The store's clock: leases and times of events follow it. */
  readonly nowMs: () => number;
  /** On data that no other test had: late news of theirs would wake whoever waits for news. */
  readonly isNew?: boolean;
}

export type OpenStorage = (options: OpenOptions) => Promise<OpenedStorage>;

export interface Rig extends OpenedStorage {
  readonly clock: ManualClock;
  readonly runs: RunStore;
  readonly events: EventLog;
}

export const LEASE_MS = 30_000;
export const MANY = 1_000_000;

/** Storage for one test under a clock that stands still; closed when the test ends. */
export async function openRig(
  open: OpenStorage,
  options: Pick<OpenOptions, 'isNew'> = {},
): Promise<Rig> {
  const clock = new ManualClock();
  const opened = await open({ ...options, nowMs: clock.nowMs });
  onTestFinished(() => opened.close());
  return { ...opened, clock, runs: opened.storage.runs, events: opened.storage.events };
}

const ids = createIds(() => Date.now());

const plainSeal = createSeal({
  ids,
  redactor: { redact: (value) => ({ value, paths: [] }), redactText: (text) => text },
});

export const newRunId = (): RunId => ids.run();

export function draft(type: EventDraft['type'], payload: EventDraft['payload'] = {}): SealedDraft {
  return plainSeal({ type, payload });
}

export const delta = (text: string): SealedDraft => draft('model.delta', { text });

export const AGENT = 'agent_default' as AgentId;

export function newRun(overrides: Partial<NewRun> = {}): NewRun {
  return { id: newRunId(), agentId: AGENT, source: 'http', message: 'hello', ...overrides };
}

/** A queued run whose log holds `run.created`. */
export async function createRun(
  runs: RunStore,
  overrides: Partial<NewRun> = {},
  options: Partial<CreateOptions> = {},
): Promise<Run> {
  const result = await runs.create(newRun(overrides), [draft('run.created')], {
    maxQueued: MANY,
    ...options,
  });
  if (result.outcome !== 'created') throw new Error(`expected a new run, got ${result.outcome}`);
  return result.run;
}

export function claimRequest(overrides: Partial<ClaimRequest> = {}): ClaimRequest {
  return {
    owner: 'runner-a',
    leaseMs: LEASE_MS,
    started: draft('run.started'),
    recovered: draft('run.recovered'),
    ...overrides,
  };
}

export interface Held {
  readonly run: Run;
  readonly lease: LeaseRef;
}

/** A run that was created and claimed: its log holds `run.created` and `run.started`. */
export async function claimNewRun(
  runs: RunStore,
  owner = 'runner-a',
  overrides: Partial<NewRun> = {},
): Promise<Held> {
  const { id } = await createRun(runs, overrides);
  return claimOnly(runs, id, owner);
}

export async function claimOnly(runs: RunStore, id: RunId, owner = 'runner-a'): Promise<Held> {
  const claimed = await runs.claim(claimRequest({ owner, only: id }));
  if (!claimed) throw new Error(`run ${id} could not be claimed`);
  return { run: claimed.run, lease: { runId: id, leaseId: claimed.lease.id } };
}

export const COMPLETED: RunEnd = {
  status: 'completed',
  stopReason: 'completed',
  output: 'done',
  totals: { ...NO_TOTALS, turns: 1 },
};

export async function finishRun(runs: RunStore, lease: LeaseRef, end = COMPLETED): Promise<void> {
  const result = await runs.finish(lease, [draft(`run.${end.status}`)], end);
  if (result.outcome !== 'appended') throw new Error(`run ${lease.runId} refused to finish`);
}

export const cancelDrafts = () => ({
  requested: draft('run.cancel_requested'),
  cancelled: draft('run.cancelled'),
});

const PAGE = 500;

export async function readAll(log: EventLog, runId: RunId): Promise<Event[]> {
  const events: Event[] = [];
  for (;;) {
    const page = await log.read(runId, { after: events.length, limit: PAGE });
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}

export const typesOf = (events: readonly Event[]): string[] => events.map((event) => event.type);
