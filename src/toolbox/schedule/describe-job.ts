import { toIso } from '../../core/clock.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Job } from '../../core/schedule/job.ts';

/** All that a job is, spelled as everywhere outside the core. */
export function describeJob(job: Job): JsonObject {
  return {
    job_id: job.id,
    agent_id: job.agentId,
    schedule: job.schedule,
    message: job.message,
    mode: job.mode,
    notify: { channel: job.notify.channel, target: job.notify.target },
    enabled: job.isEnabled,
    timezone: job.timezone,
    catch_up: job.catchUp,
    next_run_at: !job.isEnabled || job.nextSlotMs === undefined ? null : toIso(job.nextSlotMs),
    created_at: toIso(job.createdAtMs),
    updated_at: toIso(job.updatedAtMs),
  };
}
