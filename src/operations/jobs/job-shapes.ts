import { z } from 'zod';
import { JOB_ID_PATTERN } from '../../core/ids.ts';
import { RUN_STATUSES } from '../../core/runs/run.ts';
import { JOB_MODES, MISS_REASONS, NOTIFY_CHANNELS } from '../../core/schedule/job.ts';
import { MAX_JOB_MESSAGE_CHARS } from '../../core/schedule/job-fields.ts';
import { MAX_PREVIEW } from '../../core/schedule/jobs.ts';
import { agentId, integerParam, isoDate, pageCursor, pageLimit, storable } from '../fields.ts';

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

export const jobRemoved = z.object({ ok: z.literal(true), removed: z.string() });

export const controlled = z.object({
  ok: z.literal(true),
  paused: z.boolean().meta({ description: 'Whether all firing is held back.' }),
  job: job.optional(),
});

/** What `/api/admin/scheduler` is asked with. Whether a schedule is one, and a time zone, is for the core to say. */
const MAX_SCHEDULE_CHARS = 256;
const MAX_TIMEZONE_CHARS = 128;
const MAX_TARGET_CHARS = 128;
const DEFAULT_PREVIEW = 5;

const jobId = z
  .string()
  .regex(JOB_ID_PATTERN, { error: 'must be 1 to 64 letters, digits, _ or -' })
  .meta({ examples: ['job_daily_report'] });

export const jobParams = z.strictObject({ job_id: jobId });

const required = {
  agent_id: agentId,
  schedule: storable(MAX_SCHEDULE_CHARS)
    .min(1)
    .meta({
      description: '`@in <duration>` is taken too, and stored as the moment it means.',
      examples: ['@every 1h', '2026-02-18T09:00:00Z', '@in 5m'],
    }),
  message: storable(MAX_JOB_MESSAGE_CHARS).min(1),
  mode: z.enum(JOB_MODES),
  enabled: z.boolean(),
};

const optional = {
  notify: z
    .strictObject({
      channel: z.enum(NOTIFY_CHANNELS),
      target: storable(MAX_TARGET_CHARS).default(''),
    })
    .optional(),
  timezone: storable(MAX_TIMEZONE_CHARS).optional(),
  catch_up: z.enum(['none', 'once']).optional(),
  first_run_at: storable(MAX_SCHEDULE_CHARS)
    .min(1)
    .optional()
    .meta({
      description:
        'Of an interval: when it is due first (RFC 3339, in the future). Absent: one interval from now.',
      examples: ['2026-02-18T09:00:00+01:00'],
    }),
};

const IGNORED = z.unknown().optional().meta({ description: 'Read-only: ignored.' });

/** So that a job can be sent back as it was read. */
const readOnly = {
  next_run_at: IGNORED,
  last_run: IGNORED,
  created_at: IGNORED,
  updated_at: IGNORED,
};

export const createJobBody = z
  .strictObject({ job_id: jobId, ...required, ...optional, ...readOnly })
  .meta({
    examples: [
      {
        job_id: 'job_daily_report',
        agent_id: 'agent_default',
        schedule: '@every 24h',
        message: 'Generate status report',
        mode: 'isolated',
        enabled: true,
      },
    ],
  });

export const replaceJobBody = z.strictObject({
  job_id: jobId.optional(),
  ...required,
  ...optional,
  ...readOnly,
});

export const patchJobBody = z.strictObject({ ...z.object(required).partial().shape, ...optional });

export const listJobsQuery = z.strictObject({
  agent_id: agentId.optional(),
  limit: pageLimit,
  cursor: pageCursor().optional(),
});

export const historyQuery = z.strictObject({
  limit: pageLimit,
  cursor: pageCursor().optional(),
});

export const previewQuery = z.strictObject({
  count: integerParam(1, MAX_PREVIEW).prefault(DEFAULT_PREVIEW),
});

export const controlBody = z.strictObject({
  action: z.enum(['pause', 'resume']),
  job_id: jobId.optional().meta({ description: 'Only this one. Absent: all firing.' }),
});

export type FiredSlotShape = z.infer<typeof firedSlot>;
export type MissedSlotsShape = z.infer<typeof missedSlots>;
export type JobShape = z.infer<typeof job>;
export type JobListShape = z.infer<typeof jobList>;
export type JobHistoryShape = z.infer<typeof jobHistory>;
export type JobPreviewShape = z.infer<typeof jobPreview>;
export type SchedulerStateShape = z.infer<typeof schedulerState>;
export type JobFieldsShape = z.infer<typeof patchJobBody>;
