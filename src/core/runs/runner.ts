import { type Backoff, backoffMs } from '../backoff.ts';
import { toRuntimeError } from '../errors.ts';
import type { SealedDraft } from '../events/event.ts';
import type { Wakeups } from '../events/event-log.ts';
import type { RunId } from '../ids.ts';
import { createGate } from './gate.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createOutsideWatch } from './outside-watch.ts';
import { createRunPool, type RunPool } from './run-pool.ts';
import type { ClaimedRun, ClaimRequest, CreateOptions } from './run-store.ts';
import { type SuperviseDeps, superviseRun } from './supervise-run.ts';

/** A place for one run in this process, taken before the run exists so that creating it can claim it too. */
interface RunSlot {
  readonly claim: NonNullable<CreateOptions['lease']>;
  start(claimed: ClaimedRun): void;
  /** Gives the place back unless `start` has taken it. */
  cancel(): void;
}

export interface RunSlots {
  /** Undefined when all places are taken, or when older runs are waiting for one. */
  reserve(): RunSlot | undefined;
  /** Tells a run executing here to stop; one that executes elsewhere hears of it within a second. */
  cancel(runId: RunId): void;
  /** Tells it that somebody has written to it; the same holds for one that executes elsewhere. */
  tell(runId: RunId): void;
}

export interface Runner extends RunSlots {
  start(): void;
  /** Begins to claim what waits in the queue, where `claimsQueue` has not done so from the start. */
  takeQueue(): void;
  /** Stops claiming, waits up to `graceMs` for runs to end, and leaves the rest resumable. */
  stop(graceMs: number): Promise<void>;
  readonly activeCount: number;
}

export interface RunnerDeps extends SuperviseDeps {
  readonly wakeups: Wakeups;
  /** Names this process in the lease, for takeovers and for people: `server:<id>`. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Asked whenever a place is looked for. */
  readonly maxConcurrent: () => number;
  /** False while nobody may take runs. */
  readonly mayClaim?: () => Promise<boolean>;
  /** Throws while this process must not take runs. */
  readonly assertReady?: () => Promise<void>;
  /** False for a process that executes only what it submits itself, as a command without a server does. */
  readonly claimsQueue: boolean;
}

/**
 * What the latest look into the queue found: `shut` that no runs may be taken, as before the first look, `more` that some may
 * wait still, `empty` that none do.
 */
type QueueState = 'shut' | 'more' | 'empty';

/**
 * Free places that newcomers leave alone. Jumping ahead of runs that wait already would make them wait for ever under load;
 * where there is room for both, those who look for them hold half of it.
 */
const KEPT_PLACES = { shut: Number.POSITIVE_INFINITY, more: 8, empty: 0 } as const;

/** Claims runs as places get free, executes them, and keeps their leases alive. */
export function createRunner(deps: RunnerDeps): Runner {
  const queue = createClaims(deps);
  const heartbeat = createHeartbeat(deps, queue.pool.active);
  const outsideWatch = createOutsideWatch(deps, queue.pool.active);
  const stopping = new AbortController();
  let claiming: Promise<void> | undefined;

  function takeQueue(): void {
    if (!stopping.signal.aborted) claiming ??= queue.run(stopping.signal);
  }

  return {
    takeQueue,

    get activeCount() {
      return queue.pool.active.size;
    },

    start() {
      heartbeat.start();
      outsideWatch.start();
      if (deps.claimsQueue) takeQueue();
    },

    reserve() {
      const { pool, state } = queue;
      if (stopping.signal.aborted || pool.room <= KEPT_PLACES[state]) return undefined;
      const release = pool.reserve();
      const { owner, leaseMs } = deps;
      return {
        claim: { owner, leaseMs, started: sealStart(deps, 'run.started') },
        start(claimed) {
          release();
          pool.start(claimed);
        },
        cancel: release,
      };
    },

    cancel: (runId) => queue.pool.cancel(runId),

    tell: (runId) => queue.pool.tell(runId),

    async stop(graceMs) {
      stopping.abort();
      await claiming;
      await queue.pool.drain(graceMs);
      heartbeat.stop();
      outsideWatch.stop();
    },
  };
}

interface Claims {
  readonly pool: RunPool;
  readonly state: QueueState;
  run(signal: AbortSignal): Promise<void>;
}

/** How long to wait before claiming again after a fault; doubles up to the second number. */
const FAULT_BACKOFF: Backoff = { firstMs: 250, maxMs: 10_000 };
const CLAIMS_WHEN_BUSY = 16;
const MAX_CLAIMS_AT_ONCE = 64;

/** Without a wake-up the queue is looked at this often: leases expire without telling anybody. */
const POLL_MS = 1_000;

function createClaims(deps: RunnerDeps): Claims {
  const freed = createGate();
  let state: QueueState = deps.claimsQueue ? 'shut' : 'empty';
  let hasFaulted = false;
  const pool = createRunPool({
    clock: deps.clock,
    get maxConcurrent() {
      return deps.maxConcurrent();
    },
    async execute(claimed, control) {
      const outcome = await superviseRun(deps, claimed, control);
      if (outcome === 'faulted') hasFaulted = true;
    },
    onFree: () => state !== 'empty' && freed.open(),
  });

  async function claimOne(): Promise<boolean> {
    const release = pool.reserve();
    try {
      const claimed = await deps.runs.claim(toClaimRequest(deps));
      release();
      if (claimed) pool.start(claimed);
      return claimed !== undefined;
    } finally {
      release();
    }
  }

  /** Claims until the queue is empty or all places are taken; several claims at once share a transaction. */
  async function claimAll(signal: AbortSignal): Promise<void> {
    // One claim finds an idle queue empty. A busy one is looked at wide enough to find its end at once: while a look that
    // finds only runs is under way newcomers queue up behind them, and on a busy server that would never end.
    const isBusy = pool.active.size > 0;
    for (let wanted = isBusy ? CLAIMS_WHEN_BUSY : 1; pool.room > 0 && !signal.aborted; ) {
      // Each holds a place for what it may find. Newcomers find the other half, or they would all have to queue up too.
      const width = Math.min(wanted, Math.ceil(pool.room / 2));
      const results = await Promise.all(Array.from({ length: width }, claimOne));
      state = results.every(Boolean) ? 'more' : 'empty';
      if (state === 'empty') return;
      wanted = Math.min(MAX_CLAIMS_AT_ONCE, wanted * 4);
    }
    // Now and not a moment later: a place that gets free from here on has to tell.
    state = 'more';
  }

  async function fill(signal: AbortSignal): Promise<void> {
    try {
      await deps.assertReady?.();
      if (deps.mayClaim && !(await deps.mayClaim())) state = 'shut';
      else await claimAll(signal);
    } catch (thrown) {
      state = 'shut';
      throw thrown;
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    const due = deps.wakeups.subscribe('queue');
    let faultsInRow = 0;
    try {
      while (!signal.aborted) {
        await fill(signal).catch((thrown: unknown) => {
          hasFaulted = true;
          const { code, message } = toRuntimeError(thrown);
          deps.logger.error({ code }, `could not claim runs: ${message}`);
        });
        faultsInRow = hasFaulted ? faultsInRow + 1 : 0;
        hasFaulted = false;
        if (faultsInRow > 0) {
          await deps.clock.sleep(backoffMs(FAULT_BACKOFF, faultsInRow), signal);
          continue;
        }
        const deadlineMs = deps.clock.nowMs() + POLL_MS;
        await Promise.race([freed.wait(), due.next({ deadlineMs, signal })]);
        freed.leave();
      }
    } finally {
      due.close();
    }
  }

  return {
    pool,
    get state() {
      return state;
    },
    run,
  };
}

function toClaimRequest(deps: RunnerDeps): ClaimRequest {
  return {
    owner: deps.owner,
    leaseMs: deps.leaseMs,
    started: sealStart(deps, 'run.started'),
    recovered: sealStart(deps, 'run.recovered'),
  };
}

function sealStart(
  { seal, owner }: RunnerDeps,
  type: 'run.started' | 'run.recovered',
): SealedDraft {
  return seal({ type, payload: { owner } });
}
