import type { JobId } from '../../core/ids.ts';
import type { Job } from '../../core/schedule/job.ts';
import type { JobCounts } from '../job-rules.ts';
import { encodeOwner } from '../owner-column.ts';
import { type JobRow, SELECT_JOB, toJob, toJobDefinition } from './job-row.ts';
import { getRow } from './rows.ts';
import type { WriteContext } from './write-context.ts';

export interface JobRows {
  find(id: JobId): Job | undefined;
  count(owner: string): JobCounts;
  save(job: Job): void;
  remove(id: JobId): boolean;
}

export function createJobRows({ db }: WriteContext): JobRows {
  const select = db.prepare(`${SELECT_JOB} WHERE id = ?`);
  const count = db.prepare(
    'SELECT count(*) AS jobs, count(*) FILTER (WHERE owner IS ?) AS own FROM jobs',
  );
  const upsert = db.prepare(`
    INSERT INTO jobs (
      id, agent_id, definition, is_enabled, anchor_ms, next_slot_ms, revision,
      created_at_ms, updated_at_ms, owner
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET
      agent_id = excluded.agent_id, definition = excluded.definition,
      is_enabled = excluded.is_enabled, anchor_ms = excluded.anchor_ms,
      next_slot_ms = excluded.next_slot_ms, revision = excluded.revision,
      updated_at_ms = excluded.updated_at_ms`);
  const remove = db.prepare('DELETE FROM jobs WHERE id = ?');

  return {
    find(id) {
      const row = getRow<JobRow>(select, id);
      return row && toJob(row);
    },

    count: (owner) => getRow<JobCounts>(count, encodeOwner(owner)) ?? { jobs: 0, own: 0 },

    save(job) {
      const { id, agentId, isEnabled, anchorMs, nextSlotMs, revision } = job;
      const state = [isEnabled ? 1 : 0, anchorMs, nextSlotMs ?? null, revision];
      const rest = [job.createdAtMs, job.updatedAtMs, encodeOwner(job.owner)];
      upsert.run(id, agentId, toJobDefinition(job), ...state, ...rest);
    },

    remove: (id) => Number(remove.run(id).changes) > 0,
  };
}
