import { z } from 'zod';
import { RUN_STATUSES, type RunStatus } from '../../core/runs/run.ts';
import { integerParam, isoDate } from '../fields.ts';
import { schedulerState } from '../jobs/job-shapes.ts';
import { killSwitchState } from '../kill-switch/kill-switch-shapes.ts';
import { runSummary } from '../runs/run-shapes.ts';

const MAX_RUNS = 500;
const DEFAULT_RUNS = 50;

const COUNTS = Object.fromEntries(RUN_STATUSES.map((status) => [status, z.int()])) as Record<
  RunStatus,
  z.ZodInt
>;

/** The runtime at a glance, as `/api/admin` shows it. */
export const status = z
  .object({
    run_count: z.int().meta({ description: 'Of all runs, not only those listed.' }),
    runs: z.array(runSummary).meta({ description: 'Newest first, without traces.' }),
    counts: z.object(COUNTS),
    model: z.object({
      provider: z.string(),
      name: z.string().meta({ description: 'Empty when no model can be used.' }),
    }),
    version: z.string(),
    engine: z.string(),
    started_at: isoDate,
    uptime_seconds: z.int(),
    scheduler: schedulerState,
    queue: z.object({
      queued: z.int(),
      running: z.int(),
      max_queued: z.int(),
      max_concurrent: z.int(),
    }),
    kill_switch: killSwitchState,
    effects: z.object({ unknown: z.int() }),
    approvals: z.object({ pending: z.int().meta({ description: '200 means 200 or more.' }) }),
    spend_today: z
      .object({ day: z.string(), usd: z.number(), tokens_in: z.int(), tokens_out: z.int() })
      .meta({ description: 'What all models cost on this day, in UTC.' }),
    circuits: z.object({
      open: z
        .array(z.string())
        .nullable()
        .meta({ description: 'Tools whose circuit breaker is not closed; null without a server.' }),
    }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Status' });

export const statusQuery = z.strictObject({
  limit: integerParam(1, MAX_RUNS).prefault(DEFAULT_RUNS),
});

export type StatusShape = z.infer<typeof status>;
