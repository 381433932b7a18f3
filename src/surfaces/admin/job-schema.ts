import { z } from 'zod';
import { JOB_ID_PATTERN } from '../../core/ids.ts';
import { JOB_MODES, NOTIFY_CHANNELS } from '../../core/schedule/job.ts';
import type { GivenJob } from '../../core/schedule/job-drafts.ts';
import { MAX_JOB_MESSAGE_CHARS } from '../../core/schedule/job-fields.ts';
import { MAX_PREVIEW } from '../../core/schedule/jobs.ts';
import { agentId, integerParam, pageCursor, pageLimit, storable } from '../http/fields.ts';

/** What `/api/admin/scheduler` is asked with. Whether a schedule is one, and a time zone, is for the core to say. */
const MAX_CURSOR_CHARS = 256;
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
  cursor: pageCursor(MAX_CURSOR_CHARS).optional(),
});

export const historyQuery = z.strictObject({
  limit: pageLimit,
  cursor: pageCursor(MAX_CURSOR_CHARS).optional(),
});

export const previewQuery = z.strictObject({
  count: integerParam(1, MAX_PREVIEW).prefault(DEFAULT_PREVIEW),
});

export const controlBody = z.strictObject({
  action: z.enum(['pause', 'resume']),
  job_id: jobId.optional().meta({ description: 'Only this one. Absent: all firing.' }),
});

type JobFields = z.infer<typeof patchJobBody>;

/** Of a job that is replaced, what is left out falls back to its default. */
export const DEFAULT_FIELDS = {
  notify: { channel: 'none', target: '' },
  timezone: 'UTC',
  catchUp: 'none',
} satisfies Partial<GivenJob>;

export function decodeJobFields(fields: JobFields): Partial<GivenJob> {
  const { agent_id: ofAgent, schedule, message, mode, notify, timezone } = fields;
  return {
    ...(ofAgent === undefined ? {} : { agentId: ofAgent }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(message === undefined ? {} : { message }),
    ...(mode === undefined ? {} : { mode }),
    ...(notify === undefined ? {} : { notify }),
    ...(fields.enabled === undefined ? {} : { isEnabled: fields.enabled }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(fields.catch_up === undefined ? {} : { catchUp: fields.catch_up }),
    ...(fields.first_run_at === undefined ? {} : { firstRunAt: fields.first_run_at }),
  };
}
