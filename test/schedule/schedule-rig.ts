import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createIds } from '../../src/core/create-ids.ts';
import { createSeal } from '../../src/core/events/seal.ts';
import { type AgentId, DEFAULT_AGENT_ID, type RunId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import { createRedactor } from '../../src/core/redact/create-redactor.ts';
import type { RunEnd } from '../../src/core/runs/run.ts';
import { createDueJobs, type DueJobsRunner } from '../../src/core/schedule/due-jobs.ts';
import type { Firing } from '../../src/core/schedule/job.ts';
import { createJobs, type Jobs } from '../../src/core/schedule/jobs.ts';
import type { SchedulerDeps } from '../../src/core/schedule/scheduler.ts';
import type { SchedulerSettings } from '../../src/core/schedule/scheduler-settings.ts';
import type { Storage } from '../../src/core/storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { COMPLETED, claimOnly, claimRequest, finishRun } from '../conformance/harness.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTempRoot } from '../support/temp-root.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** 2026-02-15T00:00:00Z: a start that reads well in expectations. */
export const START_MS = Date.UTC(2026, 1, 15);

export const OTHER_AGENT_ID = 'agent_other' as AgentId;

interface RigSettings extends SchedulerSettings {
  readonly maxJobs: number;
  readonly maxJobsPerPrincipal: number;
}

type MutableSettings = { -readonly [Name in keyof RigSettings]: RigSettings[Name] };

/** Jobs on a real SQLite file under a clock that stands still. Everything is made anew by `reopen`, as by a restart. */
export interface ScheduleRig {
  readonly clock: ManualClock;
  readonly settings: MutableSettings;
  readonly storage: Storage;
  readonly jobs: Jobs;
  readonly dueJobs: DueJobsRunner;
  readonly deps: SchedulerDeps;
  reopen(): Promise<void>;
  /** Another storage on the same file, and what is made of it, as in a second process. */
  openBeside(): Promise<ScheduleParts>;
  /** Ends a run as a runner would. */
  endRun(id: RunId, end?: RunEnd): Promise<void>;
  /** False when it waits for another run of its session. */
  tryEndRun(id: RunId): Promise<boolean>;
  /** What became of a job's slots, oldest first. */
  firings(id: string): Promise<Firing[]>;
}

interface ScheduleParts {
  readonly storage: Storage;
  readonly jobs: Jobs;
  readonly dueJobs: DueJobsRunner;
  readonly deps: SchedulerDeps;
}

const PAGE_FIRINGS = 200;

export async function openScheduleRig(): Promise<ScheduleRig> {
  const root = await openTempRoot();
  const clock = new ManualClock(START_MS);
  const settings: MutableSettings = {
    isEnabled: true,
    maxConcurrentJobs: 1_000,
    misfireGraceMs: MINUTE_MS,
    historyPerJob: 100_000,
    maxQueued: 1_000,
    maxWaitingInSession: 1_000,
    maxJobs: 1_000,
    maxJobsPerPrincipal: 1_000,
  };
  const opened: Storage[] = [];

  async function open(): Promise<ScheduleParts> {
    const file = join(root.path, 'pincer.db');
    const storage = await openSqliteStorage({
      file,
      clock,
      writer: 'inline',
      logger: silentLogger,
    });
    opened.push(storage);
    return createParts(storage, clock, settings);
  }

  let parts = await open();
  await ensureAgents(parts.storage);
  onTestFinished(async () => {
    for (const storage of opened) await storage.close();
    await root.remove();
  });

  return {
    clock,
    settings,
    get storage() {
      return parts.storage;
    },
    get jobs() {
      return parts.jobs;
    },
    get dueJobs() {
      return parts.dueJobs;
    },
    get deps() {
      return parts.deps;
    },
    async reopen() {
      await parts.storage.close();
      parts = await open();
    },
    openBeside: open,
    async endRun(id, end = COMPLETED) {
      const { lease } = await claimOnly(parts.storage.runs, id);
      await finishRun(parts.storage.runs, lease, end);
    },
    async tryEndRun(id) {
      const claimed = await parts.storage.runs.claim(claimRequest({ only: id }));
      if (!claimed) return false;
      await finishRun(parts.storage.runs, { runId: id, leaseId: claimed.lease.id });
      return true;
    },
    firings: (id) => readFirings(parts.jobs, id),
  };
}

function createParts(storage: Storage, clock: ManualClock, settings: RigSettings): ScheduleParts {
  const ids = createIds(clock.nowMs);
  const redactor = createRedactor();
  const deps: SchedulerDeps = {
    store: storage.jobs,
    sessions: storage.sessions,
    ids,
    seal: createSeal({ ids, redactor }),
    redactor,
    clock,
    logger: silentLogger,
    slots: undefined,
    settings: () => settings,
  };
  const jobs = createJobs({
    store: storage.jobs,
    agents: storage.agents,
    sessions: storage.sessions,
    ids,
    redactor,
    clock,
    maxJobs: () => settings.maxJobs,
    maxJobsPerPrincipal: () => settings.maxJobsPerPrincipal,
  });
  return { storage, jobs, dueJobs: createDueJobs(deps), deps };
}

async function ensureAgents(storage: Storage): Promise<void> {
  for (const id of [DEFAULT_AGENT_ID, OTHER_AGENT_ID]) {
    await storage.agents.ensure({ id, name: id, role: '', model: undefined, instructions: '' });
  }
}

async function readFirings(jobs: Jobs, id: string): Promise<Firing[]> {
  const newestFirst: Firing[] = [];
  let page = await jobs.history(id, { limit: PAGE_FIRINGS });
  newestFirst.push(...page.firings);
  while (page.next !== undefined) {
    page = await jobs.history(id, { limit: PAGE_FIRINGS, before: page.next });
    newestFirst.push(...page.firings);
  }
  return newestFirst.reverse();
}
