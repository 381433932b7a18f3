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
import { bulkInsert, bulkUpdate, type Column, names } from '../bulk.ts';
import { decodeText, encodeText } from '../text-codec.ts';

export interface StoredJob {
  readonly id: string;
  readonly agent_id: string;
  readonly owner: string | null;
  readonly schedule: string;
  readonly message: string;
  readonly mode: string;
  readonly notify_channel: string;
  readonly notify_target: string;
  readonly is_enabled: boolean;
  readonly timezone: string;
  readonly catch_up: string;
  readonly anchor_ms: number;
  readonly next_slot_ms: number | null;
  readonly revision: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

const JOB_FIELDS: readonly Column<Job>[] = [
  ['id', 'text', (job) => job.id],
  ['agent_id', 'text', (job) => job.agentId],
  ['owner', 'text', (job) => encodeOwner(job.owner)],
  ['schedule', 'text', (job) => encodeText(job.schedule)],
  ['message', 'text', (job) => encodeText(job.message)],
  ['mode', 'text', (job) => job.mode],
  ['notify_channel', 'text', (job) => job.notify.channel],
  ['notify_target', 'text', (job) => encodeText(job.notify.target)],
  ['is_enabled', 'boolean', (job) => job.isEnabled],
  ['timezone', 'text', (job) => encodeText(job.timezone)],
  ['catch_up', 'text', (job) => job.catchUp],
  ['anchor_ms', 'bigint', (job) => job.anchorMs],
  ['next_slot_ms', 'bigint', (job) => job.nextSlotMs],
  ['revision', 'bigint', (job) => job.revision],
  ['created_at_ms', 'bigint', (job) => job.createdAtMs],
  ['updated_at_ms', 'bigint', (job) => job.updatedAtMs],
];

export const JOB_COLUMNS = names(JOB_FIELDS);
export const INSERT_JOBS = bulkInsert('jobs', JOB_FIELDS);
export const UPDATE_JOBS = bulkUpdate('jobs', JOB_FIELDS);

export function decodeJob(stored: StoredJob): Job {
  return {
    id: stored.id as JobId,
    agentId: stored.agent_id as AgentId,
    owner: decodeOwner(stored.owner),
    schedule: decodeText(stored.schedule),
    message: decodeText(stored.message),
    mode: stored.mode as JobMode,
    notify: {
      channel: stored.notify_channel as NotifyChannel,
      target: decodeText(stored.notify_target),
    },
    isEnabled: stored.is_enabled,
    timezone: decodeText(stored.timezone),
    catchUp: stored.catch_up as CatchUp,
    anchorMs: stored.anchor_ms,
    nextSlotMs: stored.next_slot_ms ?? undefined,
    revision: stored.revision,
    createdAtMs: stored.created_at_ms,
    updatedAtMs: stored.updated_at_ms,
  };
}

export interface StoredFiring {
  readonly no: number;
  readonly job_id: string;
  readonly at_ms: number;
  readonly first_slot_ms: number;
  readonly last_slot_ms: number;
  readonly slots: number;
  readonly run_id: string | null;
  readonly run_status: string | null;
  readonly reason: string | null;
}

export const INSERT_FIRINGS = bulkInsert<Firing>('job_firings', [
  ['job_id', 'text', (firing) => firing.jobId],
  ['at_ms', 'bigint', (firing) => firing.atMs],
  ['first_slot_ms', 'bigint', (it) => (it.outcome === 'fired' ? it.slotMs : it.firstSlotMs)],
  ['last_slot_ms', 'bigint', (it) => (it.outcome === 'fired' ? it.slotMs : it.lastSlotMs)],
  ['slots', 'bigint', (firing) => (firing.outcome === 'fired' ? 1 : firing.count)],
  ['run_id', 'text', (firing) => (firing.outcome === 'fired' ? firing.runId : null)],
  ['reason', 'text', (firing) => (firing.outcome === 'fired' ? null : firing.reason)],
  ['settled', 'boolean', (firing) => firing.outcome === 'missed'],
]);

export function decodeFiring(stored: StoredFiring): Firing {
  const jobId = stored.job_id as JobId;
  const atMs = stored.at_ms;
  if (stored.run_id === null) {
    return {
      outcome: 'missed',
      jobId,
      atMs,
      reason: stored.reason as MissReason,
      firstSlotMs: stored.first_slot_ms,
      lastSlotMs: stored.last_slot_ms,
      count: stored.slots,
    };
  }
  return {
    outcome: 'fired',
    jobId,
    slotMs: stored.first_slot_ms,
    atMs,
    runId: stored.run_id as RunId,
    runStatus: stored.run_status as RunStatus,
  };
}
