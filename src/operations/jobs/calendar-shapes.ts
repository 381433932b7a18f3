import { z } from 'zod';
import { MAX_SCHEDULE_CHARS } from '../../core/schedule/parse-schedule.ts';
import { integerParam, isoDate, momentParam, storable } from '../fields.ts';

/** What is to come of all jobs, and what words stand for. */
const MAX_PER_JOB = 100;
const DEFAULT_PER_JOB = 24;
const MAX_TIMEZONE_CHARS = 128;

export const upcomingQuery = z.strictObject({
  from: momentParam.optional().meta({ description: 'Now when absent, or over.' }),
  until: momentParam.optional().meta({ description: 'Excluded. A week later when absent.' }),
  per_job: integerParam(1, MAX_PER_JOB).prefault(DEFAULT_PER_JOB),
});

export const upcomingTimes = z.object({
  from: isoDate,
  until: isoDate,
  paused: z.boolean().meta({ description: 'Nothing fires while all are held back.' }),
  jobs: z.array(
    z.object({
      job_id: z.string(),
      agent_id: z.string(),
      schedule: z.string(),
      timezone: z.string(),
      count: z.int().meta({ description: 'In the range.' }),
      times: z.array(isoDate).meta({ description: 'The first of them.' }),
    }),
  ),
  truncated: z.boolean(),
});

export const wordsQuery = z.strictObject({
  text: storable(MAX_SCHEDULE_CHARS)
    .min(1)
    .meta({ examples: ['every weekday at 9am'] }),
  timezone: storable(MAX_TIMEZONE_CHARS).min(1).default('UTC'),
});

export const understoodWords = z.object({
  text: z.string(),
  timezone: z.string(),
  schedules: z
    .array(z.object({ schedule: z.string(), first_run_at: isoDate.nullable() }))
    .meta({ description: 'One job each.' }),
  upcoming: z.array(z.object({ at: isoDate, local: z.string() })),
  moves_with_clocks: z.boolean().meta({
    description: 'It is counted in hours: when clocks of the zone change, it moves by that.',
  }),
});

export type UpcomingTimesShape = z.infer<typeof upcomingTimes>;
export type UnderstoodWordsShape = z.infer<typeof understoodWords>;
