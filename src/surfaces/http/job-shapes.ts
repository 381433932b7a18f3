import { z } from 'zod';
import { RUN_STATUSES } from '../../core/runs/run.ts';
import { JOB_MODES, MISS_REASONS, NOTIFY_CHANNELS } from '../../core/schedule/job.ts';
import { isoDate } from './fields.ts';

/** Jobs and what became of their slots, as `/api/admin` shows them. */
const firedSlot = z.object({
  outcome: z.literal('fired'),
  slot_at: isoDate.meta({ description: 'When it was due.' }),
  at: isoDate,
  run_id: z.string(),
  run_status: z.enum(RUN_STATUSES),
});

const missedSlots = z.object({
  outcome: z.literal('missed'),
  reason: z.enum(MISS_REASONS),
  first_slot_at: isoDate,
  last_slot_at: isoDate,
  count: z.int(),
  at: isoDate,
});

export const job = z
  .object({
    job_id: z.string(),
    agent_id: z.string(),
    schedule: z.string().meta({ examples: ['@every 1h', '2026-02-18T09:00:00Z'] }),
    message: z.string(),
    mode: z.enum(JOB_MODES),
    notify: z.object({ channel: z.enum(NOTIFY_CHANNELS), target: z.string() }),
    enabled: z.boolean(),
    timezone: z.string(),
    catch_up: z.enum(['none', 'once']),
    next_run_at: isoDate.nullable().meta({ description: 'Null while it will not fire.' }),
    last_run: firedSlot.nullable(),
    created_at: isoDate,
    updated_at: isoDate,
  })
  .meta({ id: 'Job' });

export const jobList = z.object({ jobs: z.array(job), next_cursor: z.string().nullable() });

export const jobHistory = z.object({
  job_id: z.string(),
  firings: z.array(z.union([firedSlot, missedSlots])),
  next_cursor: z.string().nullable(),
});

export const jobPreview = z.object({
  job_id: z.string(),
  timezone: z.string(),
  upcoming: z.array(
    z.object({
      at: isoDate,
      local: z.string().meta({ description: "The same with the offset of the job's time zone." }),
    }),
  ),
});

export const schedulerState = z.object({
  enabled: z.boolean().meta({ description: 'Whether the configuration lets jobs fire.' }),
  paused: z.boolean().meta({ description: 'Whether somebody holds all of them back.' }),
  jobs: z.int(),
  next: z.object({ job_id: z.string(), at: isoDate }).nullable(),
});

export type FiredSlotShape = z.infer<typeof firedSlot>;
export type MissedSlotsShape = z.infer<typeof missedSlots>;
export type JobShape = z.infer<typeof job>;
export type JobHistoryShape = z.infer<typeof jobHistory>;
export type JobPreviewShape = z.infer<typeof jobPreview>;
export type SchedulerStateShape = z.infer<typeof schedulerState>;
