import { systemClock } from '../../../src/core/clock.ts';
import { createIds } from '../../../src/core/create-ids.ts';
import type { EventDraft, SealedDraft } from '../../../src/core/events/event.ts';
import { createFollowRun } from '../../../src/core/events/follow-run.ts';
import { createSeal } from '../../../src/core/events/seal.ts';
import { DEFAULT_AGENT_ID, type RunId } from '../../../src/core/ids.ts';
import { createRedactor } from '../../../src/core/redact/create-redactor.ts';
import { NO_TOTALS } from '../../../src/core/runs/run.ts';
import type { LeaseRef } from '../../../src/core/runs/run-store.ts';
import type { Storage } from '../../../src/core/storage.ts';

const ids = createIds(() => Date.now());
const seal = createSeal({ ids, redactor: createRedactor({ secrets: () => [] }) });
const LEASE = { owner: 'bench', leaseMs: 3_600_000 };
const MAX_QUEUED = 1_000;
const BATCH = 500;
const PAGE = 100;
const TEXT = 'The report lists each file that changed, with its reason. '.repeat(3);

function draft(type: EventDraft['type'], payload = {}): SealedDraft {
  return seal({ type, payload });
}

function delta(): SealedDraft {
  return seal({ type: 'model.delta', actor: 'model', payload: { text: TEXT, turn: 1 } });
}

/** A run under lease with so many events. */
export async function openLongRun({ runs }: Storage, events: number): Promise<LeaseRef> {
  const id = await submit(runs);
  const claimed = await runs.claim({
    ...LEASE,
    only: id,
    started: draft('run.started'),
    recovered: draft('run.recovered'),
  });
  if (!claimed) throw new Error('the run was not claimed');
  const lease = { runId: id, leaseId: claimed.lease.id };
  for (let left = events - claimed.run.lastSeq; left > 0; left -= BATCH) {
    await append(runs, lease, Math.min(left, BATCH));
  }
  return lease;
}

async function submit(runs: Storage['runs']): Promise<RunId> {
  const id = ids.run();
  const run = { id, agentId: DEFAULT_AGENT_ID, source: 'bench', message: 'measure' };
  const result = await runs.create(run, [draft('run.created')], { maxQueued: MAX_QUEUED });
  if (result.outcome !== 'created') throw new Error(`no run: ${result.outcome}`);
  return id;
}

async function append(runs: Storage['runs'], lease: LeaseRef, count: number): Promise<void> {
  const result = await runs.append(lease, Array.from({ length: count }, delta));
  if (result.outcome !== 'appended') throw new Error(`the append was refused: ${result.reason}`);
}

/** Events appended one by one, each until a reader at the end of the log has it; how many a second. */
export async function loadFollowed(
  storage: Storage,
  lease: LeaseRef,
  events: number,
): Promise<number> {
  const follow = createFollowRun({
    log: storage.events,
    wakeups: storage.wakeups,
    clock: systemClock,
  });
  const { runId } = lease;
  const last = await lastSeq(storage, runId);
  const left = new AbortController();
  let seen = last;
  let onSeen = () => {};
  const following = follow({
    runId,
    after: last,
    idleMs: 60_000,
    signal: left.signal,
    deliver(page) {
      seen = page.at(-1)?.seq ?? seen;
      onSeen();
      return undefined;
    },
  });
  const startedAt = performance.now();
  for (let seq = last + 1; seq <= last + events; seq += 1) {
    const arrived = new Promise<void>((resolve) => {
      onSeen = () => {
        if (seen >= seq) resolve();
      };
    });
    await append(storage.runs, lease, 1);
    onSeen();
    await arrived;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  left.abort();
  await following;
  return events / seconds;
}

async function lastSeq({ runs }: Storage, runId: RunId): Promise<number> {
  return (await runs.find(runId))?.lastSeq ?? 0;
}

/** The last pages before the end, as a reader takes them up that was away for a moment; events a second. */
export async function loadResumed(storage: Storage, runId: RunId, pages: number): Promise<number> {
  const last = await lastSeq(storage, runId);
  const startedAt = performance.now();
  let events = 0;
  for (let page = 0; page < pages; page += 1) {
    const after = Math.max(0, last - PAGE * (1 + (page % 5)));
    events += (await storage.events.read(runId, { after, limit: PAGE })).length;
  }
  return events / ((performance.now() - startedAt) / 1000);
}

/** The whole log page by page, as who takes a run over after a crash reads it; events a second. */
export async function loadWhole({ events: log }: Storage, runId: RunId): Promise<number> {
  const startedAt = performance.now();
  let after = 0;
  for (;;) {
    const page = await log.read(runId, { after, limit: PAGE });
    after = page.at(-1)?.seq ?? after;
    if (page.length < PAGE) return after / ((performance.now() - startedAt) / 1000);
  }
}

/** Runs that are queued, claimed as the oldest that is due, and ended; how many a second. */
export async function loadClaims({ runs }: Storage, count: number): Promise<number> {
  const startedAt = performance.now();
  for (let made = 0; made < count; made += 1) {
    await submit(runs);
    const claimed = await runs.claim({
      ...LEASE,
      started: draft('run.started'),
      recovered: draft('run.recovered'),
    });
    if (!claimed) throw new Error('nothing was due');
    const { run, lease } = claimed;
    await runs.finish({ runId: run.id, leaseId: lease.id }, [draft('run.completed')], {
      status: 'completed',
      output: 'done',
      stopReason: 'completed',
      totals: NO_TOTALS,
    });
  }
  return count / ((performance.now() - startedAt) / 1000);
}

/** The newest page, a page by its filter, and one in the middle; how many a second. */
export async function loadLists({ runs }: Storage, count: number, middle: RunId): Promise<number> {
  const startedAt = performance.now();
  for (let made = 0; made < count; made += 1) {
    await runs.list({ limit: 50 });
    await runs.list({ limit: 50, status: 'completed', agentId: DEFAULT_AGENT_ID });
    await runs.list({ limit: 50, status: 'failed' });
    await runs.list({ limit: 50, before: middle });
  }
  return (4 * count) / ((performance.now() - startedAt) / 1000);
}

export async function loadCounts({ runs }: Storage, count: number): Promise<number> {
  const startedAt = performance.now();
  for (let made = 0; made < count; made += 1) await runs.countByStatus();
  return count / ((performance.now() - startedAt) / 1000);
}
