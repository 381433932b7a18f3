import { createIds } from '../../core/create-ids.ts';
import { RuntimeError } from '../../core/errors.ts';
import { type Topic, toNews } from '../../core/events/event-log.ts';
import type { RunId } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import type { RunStore } from '../../core/runs/run-store.ts';
import type { Storage } from '../../core/storage.ts';
import { createImportStore } from '../staged-steps.ts';
import { createTableStores } from '../table-stores.ts';
import { createWakeupHub, type WakeupHub } from '../wakeup-hub.ts';
import { openDatabase } from './database.ts';
import { createDatabaseClock, type MachineClock } from './database-clock.ts';
import { createApprovalStore } from './effects/approval-store.ts';
import { createEffectStore } from './effects/effect-store.ts';
import { createIdempotencyStore } from './effects/idempotency-store.ts';
import { importSteps } from './import-steps.ts';
import { openTrigger } from './jobs/fire-slot.ts';
import { createJobStore } from './jobs/job-store.ts';
import { type Listener, openListener } from './listener.ts';
import { migrateDatabase } from './migrate.ts';
import { createEventLog } from './runs/event-log.ts';
import { createEventRetention } from './runs/event-retention.ts';
import { createHeldRuns } from './runs/held-runs.ts';
import { createRecentEvents, type RecentEvents } from './runs/recent-events.ts';
import { createRecordStore } from './runs/record-store.ts';
import { createRunStore } from './runs/run-store.ts';
import { openRunWriter } from './runs/run-writer.ts';
import { createSecretPlace, type SharedSecretPlace } from './secret-place.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createTables } from './tables.ts';
import { createWorkerStore } from './workers/worker-store.ts';

/** Proof that writing works. The keys of nonces are digests and never look like this one. */
const PROBE = `
  insert into nonces (key, expires_at_ms) values ('probe', 0)
  on conflict (key) do update set expires_at_ms = nonces.expires_at_ms + 1`;

export interface PostgresConfig {
  /** `postgres://user:password@host:port/database`, with the usual parameters of libpq. */
  readonly url: string;
  readonly logger: Logger;
  /** Replaces the database's clock, in tests. */
  readonly nowMs?: () => number;
  /** The state root that this process belongs to, among several on the database. Absent: one that records nothing. */
  readonly node?: string;
  /** Whether this process is the one server of its node. Throws `conflict` when there is another. */
  readonly isServer?: boolean;
}

const MACHINE: MachineClock = { elapsedMs: () => performance.now(), wallMs: () => Date.now() };

/** A node whose name another server has takes no runs: they would be given away under it. */
function guardClaims(runs: RunStore, listener: Listener): RunStore {
  return {
    ...runs,
    async claim(request) {
      assertNode(listener);
      return runs.claim(request);
    },
    create(run, drafts, { lease, ...options }) {
      const mayClaim = lease !== undefined && listener.nodeTaken === undefined;
      return runs.create(run, drafts, mayClaim ? { ...options, lease } : options);
    },
  };
}

function assertNode({ nodeTaken }: Listener): void {
  if (nodeTaken === undefined) return;
  throw new RuntimeError('storage_unavailable', nodeTaken.message, { cause: nodeTaken });
}

/** A watcher's fault must not look like a failed commit: the writes would be repeated. */
function createGuard(logger: Logger): (call: () => void) => void {
  return (call) => {
    try {
      call();
    } catch (thrown) {
      logger.error({ err: thrown }, 'a watcher of events failed');
    }
  };
}

interface Memory {
  readonly recent: RecentEvents;
  readonly secretPlace: SharedSecretPlace;
}

/** News of other nodes: what is known here from before goes, and then everybody is told to look. */
function forgetFirst({ recent, secretPlace }: Memory, hub: WakeupHub) {
  return {
    wake(runIds: readonly RunId[], queueTouched: boolean) {
      for (const runId of runIds) recent.forget(runId);
      hub.wake(runIds, queueTouched);
    },
    wakeTopic(topic: Topic) {
      if (topic === 'secrets') secretPlace.forgetMark();
      hub.wakeTopic(topic);
    },
    wakeAll() {
      recent.clear();
      secretPlace.forgetMark();
      hub.wakeAll(() => []);
    },
  };
}

/** Storage that several processes share. The database's clock decides leases and the times of events. */
export async function openPostgresStorage(config: PostgresConfig): Promise<Storage> {
  const { url, logger, nowMs, node, isServer = false } = config;
  const database = await openDatabase({ url, logger });
  const hub = createWakeupHub(nowMs ?? Date.now);
  const secretPlace = createSecretPlace({ database });
  const recent = createRecentEvents(() => performance.now());
  const guard = createGuard(logger);
  const wake: typeof hub.wake = (...news) => guard(() => hub.wake(...news));
  const wakeTopic: typeof hub.wakeTopic = (topic) => guard(() => hub.wakeTopic(topic));
  try {
    await migrateDatabase(url);
    const listener = await openListener({
      url,
      logger,
      isOwnBackend: database.isOwnBackend,
      ...forgetFirst({ recent, secretPlace }, { ...hub, wake, wakeTopic }),
      holds: isServer ? node : undefined,
    });
    const ids = createIds(nowMs ?? Date.now);
    const known = { held: createHeldRuns(), clock: createDatabaseClock(MACHINE) };
    const commit = { database, ids, logger, nowMs, wake, recent, ...known, node };
    const stores = { database, nowMs, hub: { wakeTopic } };
    const writer = openRunWriter(commit);
    const trigger = openTrigger(commit);
    let closing: Promise<void> | undefined;
    const close = async () => {
      await Promise.all([writer.close(), trigger.close()]);
      hub.close();
      await listener.close();
      await database.close();
    };
    const events = createEventLog(database, recent);
    return {
      engine: 'postgres',
      ...createTableStores(createTables(stores)),
      runs: guardClaims(createRunStore(commit, writer), listener),
      events,
      news: toNews(events),
      records: createRecordStore(commit, writer),
      retention: createEventRetention(stores, recent),
      effects: createEffectStore(database, nowMs),
      approvals: createApprovalStore({ database, writer, nowMs }),
      idempotency: createIdempotencyStore(database, nowMs),
      sessions: createSessionStore({ database, nowMs }),
      jobs: createJobStore({ database, nowMs }, trigger),
      imports: createImportStore((steps) => importSteps({ database, nowMs }, steps)),
      workers: createWorkerStore(stores),
      secretPlace,
      wakeups: hub.wakeups,
      ping: async () => {
        assertNode(listener);
        await database.read({ name: 'ping', text: 'select 1', values: [] });
        await database.write({ name: 'probe', text: PROBE, values: [] });
      },
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
}
