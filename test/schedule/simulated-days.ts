import { DEFAULT_AGENT_ID, type RunId } from '../../src/core/ids.ts';
import { createDueJobs } from '../../src/core/schedule/due-jobs.ts';
import type { CatchUp } from '../../src/core/schedule/job.ts';
import type { JobStore } from '../../src/core/schedule/job-store.ts';
import type { CreateJob } from '../../src/core/schedule/jobs.ts';
import { settleFirings } from '../../src/core/schedule/settle-firings.ts';
import type { Random } from './random.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type ScheduleRig, SECOND_MS } from './schedule-rig.ts';

/** What the simulation did, for an oracle that knows nothing of schedulers. */
export interface Simulation {
  /** When a tick went through to its end, in order; a later one at an earlier time is left out. */
  readonly completedMs: readonly number[];
  /** `job@time` of ticks that began while a run of the job was open. */
  readonly openRuns: ReadonlySet<string>;
  readonly restarts: number;
  readonly crashes: number;
  readonly jumps: number;
}

export interface SimulatedJob {
  readonly id: string;
  readonly anchorMs: number;
  /** Undefined for a one-shot. */
  readonly everyMs: number | undefined;
  readonly atMs: number | undefined;
  readonly catchUp: CatchUp;
}

/** Mostly hours apart; one due every few seconds, which pass by the hundred between two ticks; some due once. */
export async function createSimulatedJobs(
  rig: ScheduleRig,
  random: Random,
  count: number,
): Promise<SimulatedJob[]> {
  const simulated: SimulatedJob[] = [];
  for (let index = 0; index < count; index += 1) {
    rig.clock.advance(random.below(150));
    const id = `job_${String(index).padStart(3, '0')}`;
    const anchorMs = rig.clock.nowMs();
    const catchUp = random.chance(0.2) ? 'once' : 'none';
    const base: Omit<CreateJob, 'schedule'> = {
      id,
      agentId: DEFAULT_AGENT_ID,
      message: `work of ${id}`,
      catchUp,
      mode: random.chance(0.1) ? 'main_like' : 'isolated',
    };
    if (index % 10 === 9) {
      const atMs = anchorMs + HOUR_MS + random.below(29 * DAY_MS);
      await rig.jobs.create({ ...base, schedule: new Date(atMs).toISOString() });
      simulated.push({ id, anchorMs, everyMs: undefined, atMs, catchUp });
      continue;
    }
    const everySeconds = toEverySeconds(random, index);
    await rig.jobs.create({ ...base, schedule: `@every ${everySeconds}s` });
    const everyMs = everySeconds * SECOND_MS;
    simulated.push({ id, anchorMs, everyMs, atMs: undefined, catchUp });
  }
  return simulated;
}

/** Three of four in whole hours, so that many are due together. */
function toEverySeconds(random: Random, index: number): number {
  if (index === 0) return 7;
  const hours = 8 + random.below(52);
  return index % 4 === 0 ? hours * 3600 + random.below(3600) : hours * 3600;
}

/** Passes the days with ticks late by a little or by a lot, restarts, crashes in the middle, and a clock that jumps. */
export async function simulateDays(
  rig: ScheduleRig,
  random: Random,
  { jobs, untilMs }: { readonly jobs: readonly SimulatedJob[]; readonly untilMs: number },
): Promise<Simulation> {
  const completedMs: number[] = [];
  const openRuns = new Set<string>();
  const open = new Map<string, RunId>();
  const tally = { restarts: 0, crashes: 0, jumps: 0 };
  let highestMs = 0;

  async function endRuns(share: number): Promise<void> {
    const chosen = [...open].filter(() => random.chance(share));
    const ended = await Promise.all(chosen.map(([, runId]) => rig.tryEndRun(runId)));
    for (const [index, [id]] of chosen.entries()) if (ended[index]) open.delete(id);
  }

  async function tick(): Promise<void> {
    const nowMs = rig.clock.nowMs();
    for (const id of open.keys()) openRuns.add(`${id}@${nowMs}`);
    const crash = random.chance(0.05) ? 1 + random.below(4) : undefined;
    const store = withCrash(rig.deps.store, crash, open);
    await createDueJobs({ ...rig.deps, store }).tick();
    if (store.hasCrashed()) {
      tally.crashes += 1;
      await rig.reopen();
      rig.clock.advance(1 + random.below(40 * SECOND_MS));
      return tick();
    }
    if (nowMs > highestMs) completedMs.push(nowMs);
    highestMs = Math.max(highestMs, nowMs);
  }

  while (rig.clock.nowMs() < untilMs) {
    rig.clock.advance(toNextSlot(jobs, rig.clock.nowMs()) + toDelayMs(random));
    await tick();
    if (random.chance(0.04)) {
      tally.restarts += 1;
      await rig.reopen();
    }
    await endRuns(0.95);
    await settleFirings(rig.deps);
    if (random.chance(0.04)) {
      tally.jumps += 1;
      rig.clock.advance(random.chance(0.6) ? -random.below(6 * HOUR_MS) : random.below(DAY_MS));
    }
  }
  // A run in a session ends after the one it waits for.
  while (open.size > 0) await endRuns(1);
  while (await settleFirings(rig.deps));
  return { completedMs, openRuns, ...tally };
}

/** How long it is until a job is due, except for those that always are. */
function toNextSlot(jobs: readonly SimulatedJob[], nowMs: number): number {
  const waits = jobs.map(({ anchorMs, everyMs, atMs = 0 }) => {
    if (everyMs === undefined) return atMs > nowMs ? atMs - nowMs : DAY_MS;
    return everyMs < HOUR_MS ? DAY_MS : everyMs - ((nowMs - anchorMs) % everyMs);
  });
  return Math.min(...waits);
}

/** Usually within the grace of a minute; now and then beyond it. */
function toDelayMs(random: Random): number {
  return random.chance(0.9) ? random.below(50 * SECOND_MS) : random.below(90 * MINUTE_MS);
}

interface CrashingStore extends JobStore {
  hasCrashed(): boolean;
}

/**
 * The store of a process that dies at its n-th write of a tick: before the write is committed or right after, when
 * nobody is left to hear of it. Whatever comes then fails, as it would for the dead.
 */
function withCrash(
  store: JobStore,
  crashAt: number | undefined,
  open: Map<string, RunId>,
): CrashingStore {
  let writes = 0;
  let isDead = false;

  async function write<T>(commit: () => Promise<T>): Promise<T> {
    writes += 1;
    if (isDead || writes === crashAt) {
      const isCommitted = !isDead && writes % 2 === 0;
      isDead = true;
      if (isCommitted) await commit();
      throw new Error('the process is dead');
    }
    return commit();
  }

  return {
    ...store,
    hasCrashed: () => isDead,
    skip: (skipped) => write(() => store.skip(skipped)),
    fire: (firing) =>
      write(async () => {
        const result = await store.fire(firing);
        if (result.outcome === 'fired') open.set(firing.jobId, result.run.id);
        return result;
      }),
  };
}
