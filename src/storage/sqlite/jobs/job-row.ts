import type { AgentId, JobId, RunId } from '../../../core/ids.ts';
import type { RunStatus } from '../../../core/runs/run.ts';
import type {
  CatchUp,
  Firing,
  Job,
  JobMode,
  MissReason,
  NotifyChannel,
} from '../../../core/schedule/job.ts';
import { decodeOwner, encodeOwner } from '../../owner-column.ts';
import { parseJsonText, toJsonText } from '../json-text.ts';

export const SELECT_JOB = 'SELECT jobs.* FROM jobs';

export interface JobRow {
  readonly id: JobId;
  readonly agent_id: AgentId;
  readonly owner: string | null;
  readonly schedule: string;
  readonly message: string;
  readonly mode: JobMode;
  readonly notify_channel: NotifyChannel;
  readonly notify_target: string;
  readonly is_enabled: number;
  readonly timezone: string;
  readonly catch_up: CatchUp;
  readonly anchor_ms: number;
  readonly next_slot_ms: number | null;
  readonly revision: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

export const JOB_COLUMNS = [
  'id',
  'agent_id',
  'owner',
  'schedule',
  'message',
  'mode',
  'notify_channel',
  'notify_target',
  'is_enabled',
  'timezone',
  'catch_up',
  'anchor_ms',
  'next_slot_ms',
  'revision',
  'created_at_ms',
  'updated_at_ms',
] as const satisfies (keyof JobRow)[];

export function toJob(row: JobRow): Job {
  return {
    id: row.id,
    agentId: row.agent_id,
    owner: decodeOwner(row.owner),
    schedule: parseJsonText(row.schedule),
    message: parseJsonText(row.message),
    mode: row.mode,
    notify: { channel: row.notify_channel, target: parseJsonText(row.notify_target) },
    isEnabled: row.is_enabled === 1,
    timezone: parseJsonText(row.timezone),
    catchUp: row.catch_up,
    anchorMs: row.anchor_ms,
    nextSlotMs: row.next_slot_ms ?? undefined,
    revision: row.revision,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

export function toJobRow(job: Job): JobRow {
  return {
    id: job.id,
    agent_id: job.agentId,
    owner: encodeOwner(job.owner),
    schedule: toJsonText(job.schedule),
    message: toJsonText(job.message),
    mode: job.mode,
    notify_channel: job.notify.channel,
    notify_target: toJsonText(job.notify.target),
    is_enabled: job.isEnabled ? 1 : 0,
    timezone: toJsonText(job.timezone),
    catch_up: job.catchUp,
    anchor_ms: job.anchorMs,
    next_slot_ms: job.nextSlotMs ?? null,
    revision: job.revision,
    created_at_ms: job.createdAtMs,
    updated_at_ms: job.updatedAtMs,
  };
}

export const SELECT_FIRING = `
  SELECT job_firings.*, runs.id AS run_id, runs.status AS run_status
  FROM job_firings LEFT JOIN runs ON runs.no = job_firings.run_no`;

interface CommonFiringRow {
  readonly no: number;
  readonly job_id: JobId;
  readonly at_ms: number;
  readonly first_slot_ms: number;
  readonly last_slot_ms: number;
  readonly slots: number;
}

interface FiredRow extends CommonFiringRow {
  readonly run_id: RunId;
  readonly run_status: RunStatus;
}

interface MissedRow extends CommonFiringRow {
  readonly run_id: null;
  readonly reason: MissReason;
}

export type FiringRow = FiredRow | MissedRow;

export function toFiring(row: FiringRow): Firing {
  const common = { jobId: row.job_id, atMs: row.at_ms };
  if (row.run_id === null) {
    return {
      outcome: 'missed',
      ...common,
      reason: row.reason,
      firstSlotMs: row.first_slot_ms,
      lastSlotMs: row.last_slot_ms,
      count: row.slots,
    };
  }
  const { first_slot_ms: slotMs, run_id: runId, run_status: runStatus } = row;
  return { outcome: 'fired', ...common, slotMs, runId, runStatus };
}
