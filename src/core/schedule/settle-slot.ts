import type { Logger } from '../log.ts';
import { type FireJobDeps, fireJob } from './fire-job.ts';
import type { Job, MissReason } from './job.ts';
import type { JobStore, SlotClaim } from './job-store.ts';
import { type DuePlan, type FirePlan, planDue } from './plan-due.ts';
import type { SchedulerSettings } from './scheduler-settings.ts';

export interface SettleSlotDeps extends FireJobDeps {
  readonly store: Pick<JobStore, 'fire' | 'skip'>;
  readonly logger: Logger;
}

/** Why a slot that is due was not fired, although it still could be within its grace. */
export type Obstacle = Exclude<MissReason, 'late' | 'overlap'> | 'session_full';

export interface SlotAttempt {
  readonly nowMs: number;
  readonly settings: SchedulerSettings;
  /** What stands in the way of every job just now: then nothing is fired. */
  readonly obstacle: Obstacle | undefined;
  /** What stood in the way of this slot the last time. */
  readonly lastObstacle: Obstacle | undefined;
}

/**
 * Does what `planDue` says about a job that is due: fires its newest slot or puts on record that it was missed.
 * Answers with the obstacle when neither could be done yet.
 */
export async function settleSlot(
  deps: SettleSlotDeps,
  job: Job,
  attempt: SlotAttempt,
): Promise<Obstacle | undefined> {
  const plan = planAttempt(job, attempt);
  if (plan.action === 'wait') return undefined;
  if (plan.action === 'fire') return attempt.obstacle ?? fire(deps, job, { plan, attempt });
  const { dueSlotMs, missed, nextSlotMs } = plan;
  await deps.store.skip({ ...toClaim(job, attempt), dueSlotMs, nextSlotMs, missed });
  deps.logger.warn(
    { job_id: job.id, reason: missed.reason, count: missed.count },
    'job was not fired in time',
  );
  return undefined;
}

function planAttempt(job: Job, { nowMs, settings, lastObstacle }: SlotAttempt): DuePlan {
  const at = { nowMs, graceMs: settings.misfireGraceMs };
  // What throws is given up with the grace: catching up would try it for ever.
  const plan = planDue(lastObstacle === 'failed' ? { ...job, catchUp: 'none' } : job, at);
  if (lastObstacle === undefined || plan.action === 'wait' || !plan.missed) return plan;
  return { ...plan, missed: { ...plan.missed, reason: toReason(lastObstacle) } };
}

/** On record a full session is a lack of room like any other; it differs in that it stands in nobody else's way. */
function toReason(obstacle: Obstacle): MissReason {
  return obstacle === 'session_full' ? 'capacity' : obstacle;
}

interface PlannedAttempt {
  readonly plan: FirePlan;
  readonly attempt: SlotAttempt;
}

async function fire(
  deps: SettleSlotDeps,
  job: Job,
  { plan, attempt }: PlannedAttempt,
): Promise<Obstacle | undefined> {
  const { dueSlotMs, slotMs, missed, nextSlotMs } = plan;
  const result = await fireJob(deps, job, {
    dueSlotMs,
    slotMs,
    missed,
    nextSlotMs,
    maxOpenRuns: attempt.settings.maxConcurrentJobs,
    maxQueued: attempt.settings.maxQueued,
    maxWaitingInSession: attempt.settings.maxWaitingInSession,
    keepFirings: attempt.settings.historyPerJob,
  });
  switch (result.outcome) {
    case 'fired':
    case 'taken':
      return undefined;
    case 'overlap':
      await skipOverlapping(deps, job, { plan, attempt });
      return undefined;
    case 'capacity':
    case 'queue_full':
    case 'session_full':
      return result.outcome;
  }
}

/** Two stretches, because they have two reasons. A crash between them leaves the second one due. */
async function skipOverlapping(
  deps: SettleSlotDeps,
  job: Job,
  { plan, attempt }: PlannedAttempt,
): Promise<void> {
  const { dueSlotMs, slotMs, missed, nextSlotMs } = plan;
  const claim = toClaim(job, attempt);
  if (missed) {
    const isMine = await deps.store.skip({ ...claim, dueSlotMs, nextSlotMs: slotMs, missed });
    if (!isMine) return;
  }
  await deps.store.skip({
    ...claim,
    dueSlotMs: slotMs,
    nextSlotMs,
    missed: { reason: 'overlap', firstSlotMs: slotMs, lastSlotMs: slotMs, count: 1 },
  });
}

function toClaim(job: Job, { settings }: SlotAttempt): Omit<SlotClaim, 'dueSlotMs' | 'nextSlotMs'> {
  return { jobId: job.id, revision: job.revision, keepFirings: settings.historyPerJob };
}
