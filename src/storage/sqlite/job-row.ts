import type { AgentId, JobId, RunId } from '../../core/ids.ts';
import type { RunStatus } from '../../core/runs/run.ts';
import type { Firing, Job, MissReason } from '../../core/schedule/job.ts';
import { decodeOwner } from '../owner-column.ts';

export const SELECT_JOB = 'SELECT jobs.* FROM jobs';

export interface JobRow {
  readonly id: JobId;
  readonly agent_id: AgentId;
  readonly owner: string | null;
  readonly definition: string;
  readonly is_enabled: number;
  readonly anchor_ms: number;
  readonly next_slot_ms: number | null;
  readonly revision: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

/** What no query asks for. */
type Definition = Pick<Job, 'schedule' | 'message' | 'mode' | 'notify' | 'timezone' | 'catchUp'>;

export function toJob(row: JobRow): Job {
  const definition = JSON.parse(row.definition) as Definition;
  return {
    id: row.id,
    agentId: row.agent_id,
    owner: decodeOwner(row.owner),
    ...definition,
    isEnabled: row.is_enabled === 1,
    anchorMs: row.anchor_ms,
    nextSlotMs: row.next_slot_ms ?? undefined,
    revision: row.revision,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

export function toJobDefinition(job: Definition): string {
  const { schedule, message, mode, notify, timezone, catchUp } = job;
  const { channel, target } = notify;
  return JSON.stringify({
    schedule,
    message,
    mode,
    notify: { channel, target },
    timezone,
    catchUp,
  });
}

export const SELECT_FIRING = `
  SELECT job_firings.*, runs.id AS run_id, runs.status AS run_status
  FROM job_firings LEFT JOIN runs ON runs.no = job_firings.run_no`;

interface CommonFiringRow {
  readonly no: number;
  readonly job_id: JobId;
  readonly at_ms: number;
}

interface FiredRow extends CommonFiringRow {
  readonly slot_ms: number;
  readonly run_id: RunId;
  readonly run_status: RunStatus;
}

interface MissedRow extends CommonFiringRow {
  readonly slot_ms: null;
  readonly reason: MissReason;
  readonly first_slot_ms: number;
  readonly last_slot_ms: number;
  readonly slots: number;
}

export type FiringRow = FiredRow | MissedRow;

export function toFiring(row: FiringRow): Firing {
  const common = { jobId: row.job_id, atMs: row.at_ms };
  if (row.slot_ms === null) {
    return {
      outcome: 'missed',
      ...common,
      reason: row.reason,
      firstSlotMs: row.first_slot_ms,
      lastSlotMs: row.last_slot_ms,
      count: row.slots,
    };
  }
  const { slot_ms: slotMs, run_id: runId, run_status: runStatus } = row;
  return { outcome: 'fired', ...common, slotMs, runId, runStatus };
}
