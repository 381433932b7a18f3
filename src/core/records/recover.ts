import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { Event, EventType } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { verifyChain } from '../events/hash-chain.ts';
import type { Seal } from '../events/seal.ts';
import type { AuditReader } from './audit-reader.ts';
import { findAllLosses, findRecentLosses, type Loss } from './losses.ts';
import type { RecordStore } from './record-store.ts';
import { toAbandonedRun, toRestoredRun } from './to-restored-run.ts';
import { EVENTS_PER_PAGE, isGone } from './verify-run.ts';

/** Held in memory at once, and each reading reads all files. A longer run is read alone. */
const EVENTS_PER_READING = 50_000;
const MAX_FAILURES = 100;
/** Lines in the order they were written take one. Each further one gives up the next line of a run that is in disorder. */
const MAX_LOOKS = 1_000;

export interface RecoverDeps {
  readonly records: RecordStore;
  readonly events: Pick<EventLog, 'read'>;
  readonly files: AuditReader;
  readonly seal: Seal;
  /** Keeps the operator's decision, safe from a power loss. */
  saveAccepted(losses: readonly Loss[]): Promise<void>;
}

export interface RecoveryReport {
  /** Runs of which the files knew more. */
  readonly lostRuns: number;
  /** Put back, or given up, as was asked. */
  readonly settledRuns: number;
  readonly settledEvents: number;
  readonly failures: readonly { readonly runId: string; readonly message: string }[];
}

/** Puts back into the log what the audit files hold and it does not. */
export async function recoverFromAudit(deps: RecoverDeps): Promise<RecoveryReport> {
  const losses = firstOfEach(await findAllLosses(deps));
  const report = createReport(losses);
  for (const some of inReadings(losses)) {
    const found = await deps.files.readEvents(new Set(some.map(({ runId }) => runId)));
    for (const loss of some) {
      await report.settle(loss, () => restore(deps, loss, found.get(loss.runId) ?? []));
    }
  }
  return report.finish();
}

/**
 * Gives up what the log has lost, on record: what the files hold of it is no longer held against the log. Nothing that
 * would stop a start is left afterwards, whatever the files hold.
 */
export async function acceptLosses(deps: RecoverDeps): Promise<RecoveryReport> {
  const losses = firstOfEach(await giveUpAll(deps));
  const report = createReport(losses);
  for (const loss of losses) {
    await report.settle(loss, async () => {
      if (!loss.isOpen) return;
      const kept = await listKeptTypes(deps.events, loss);
      await deps.records.restore(toAbandonedRun(deps.seal, { ...toTarget(loss), kept }));
    });
  }
  return report.finish();
}

/** Before any run is ended: all that is given up of a run goes back to the same event. */
async function giveUpAll(deps: RecoverDeps): Promise<readonly Loss[]> {
  const all: Loss[] = [];
  let found = await findAllLosses(deps);
  for (let look = 0; found.length > 0; look += 1) {
    if (look === MAX_LOOKS) {
      throw new RuntimeError('conflict', 'the audit files hold more and more of what is given up');
    }
    await deps.saveAccepted(found);
    all.push(...found);
    found = await findRecentLosses(deps);
  }
  return all;
}

function* inReadings(losses: readonly Loss[]): Generator<readonly Loss[]> {
  let some: Loss[] = [];
  let events = 0;
  for (const loss of losses) {
    if (some.length > 0 && events + loss.through.seq > EVENTS_PER_READING) {
      yield some;
      some = [];
      events = 0;
    }
    some.push(loss);
    events += loss.through.seq;
  }
  if (some.length > 0) yield some;
}

/** What happened in a run as far as the log still tells. The run has to end also when an event can't be read. */
async function listKeptTypes(
  log: RecoverDeps['events'],
  { runId }: Loss,
): Promise<readonly EventType[]> {
  const types: EventType[] = [];
  for (let after = 0; ; ) {
    const page = await log.read(runId, { after, limit: EVENTS_PER_PAGE }).catch((thrown) => {
      if (isGone(thrown)) throw thrown;
      return [];
    });
    types.push(...page.map(({ type }) => type));
    const last = page.at(-1);
    if (last === undefined || page.length < EVENTS_PER_PAGE) return types;
    after = last.seq;
  }
}

function firstOfEach(losses: readonly Loss[]): readonly Loss[] {
  const byRun = new Map<string, Loss>();
  for (const loss of losses) if (!byRun.has(loss.runId)) byRun.set(loss.runId, loss);
  return [...byRun.values()];
}

async function restore(deps: RecoverDeps, loss: Loss, events: readonly Event[]): Promise<void> {
  const whole = verifyChain(events);
  if (!whole.ok || whole.last.hash !== loss.through.hash) {
    throw new RuntimeError('conflict', 'its audit lines are not whole');
  }
  const known = events[loss.after.seq - 1];
  if (loss.after.seq > 0 && known?.hash !== loss.after.hash) {
    throw new RuntimeError('conflict', 'its audit lines differ from what the database has of it');
  }
  const run = toRestoredRun(deps.seal, { events, after: loss.after, hasRow: loss.hasRow });
  if (run) await deps.records.restore(run);
}

function toTarget({ runId, agentId, after }: Loss) {
  return { runId, agentId: agentId as Event['agentId'], after };
}

function createReport(losses: readonly Loss[]) {
  const failures: { runId: string; message: string }[] = [];
  let settledRuns = 0;
  let settledEvents = 0;
  return {
    async settle({ runId, through, after }: Loss, work: () => Promise<void>): Promise<void> {
      try {
        await work();
        settledRuns += 1;
        settledEvents += through.seq - after.seq;
      } catch (thrown) {
        const { code, message } = toRuntimeError(thrown);
        if (code === 'storage_unavailable') throw thrown;
        if (failures.length < MAX_FAILURES) failures.push({ runId, message });
      }
    },
    finish: (): RecoveryReport => ({
      lostRuns: losses.length,
      settledRuns,
      settledEvents,
      failures,
    }),
  };
}
