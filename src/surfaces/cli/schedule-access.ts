import type { CreateJob, UpdateJob } from '../../core/schedule/jobs.ts';
import type { JobHistoryShape, JobPreviewShape, JobShape } from '../http/job-shapes.ts';
import type { PageQuery } from './page-options.ts';

/** Jobs for those who only look. In the shapes of `/api/admin`, with a server and without one. */
export interface ScheduleReader {
  list(query: JobQuery): Promise<JobListShape>;
  /** Throws `not_found`, as all that name one job. */
  get(id: string): Promise<JobShape>;
  history(id: string, query: PageQuery): Promise<JobHistoryShape>;
  preview(id: string, count: number): Promise<JobPreviewShape>;
  /** Whether all firing is held back. */
  isPaused(): Promise<boolean>;
}

export interface ScheduleAccess extends ScheduleReader {
  create(job: CreateJob & { readonly id: string }): Promise<JobShape>;
  update(id: string, change: UpdateJob): Promise<JobShape>;
  remove(id: string): Promise<void>;
  pause(id: string): Promise<JobShape>;
  resume(id: string): Promise<JobShape>;
  pauseAll(): Promise<void>;
  resumeAll(): Promise<void>;
}

export interface JobQuery extends PageQuery {
  readonly agent_id?: string | undefined;
}

export interface JobListShape {
  readonly jobs: readonly JobShape[];
  readonly next_cursor: string | null;
}
