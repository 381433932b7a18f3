import type { JobId } from '../../../core/ids.ts';
import type { Job } from '../../../core/schedule/job.ts';
import type { JobCounts } from '../../job-rules.ts';
import { encodeOwner } from '../../owner-column.ts';
import { getRow } from '../rows.ts';
import type { WriteContext } from '../write-context.ts';
import { JOB_COLUMNS, type JobRow, SELECT_JOB, toJob, toJobRow } from './job-row.ts';

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
  const marks = JOB_COLUMNS.map(() => '?').join(', ');
  const sets = JOB_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ');
  const upsert = db.prepare(`
    INSERT INTO jobs (${JOB_COLUMNS.join(', ')}) VALUES (${marks})
    ON CONFLICT (id) DO UPDATE SET ${sets}`);
  const remove = db.prepare('DELETE FROM jobs WHERE id = ?');

  return {
    find(id) {
      const row = getRow<JobRow>(select, id);
      return row && toJob(row);
    },

    count: (owner) => getRow<JobCounts>(count, encodeOwner(owner)) ?? { jobs: 0, own: 0 },

    save(job) {
      const row = toJobRow(job);
      upsert.run(...JOB_COLUMNS.map((column) => row[column]));
    },

    remove: (id) => Number(remove.run(id).changes) > 0,
  };
}
