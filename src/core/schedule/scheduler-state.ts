import type { JobSummary } from './job-store.ts';
import type { Jobs } from './jobs.ts';

/** The scheduler at a glance. */
export interface SchedulerState extends JobSummary {
  /** Whether the configuration lets this runtime fire jobs. */
  readonly isEnabled: boolean;
}

export interface SchedulerStateDeps {
  readonly jobs: Pick<Jobs, 'summarize'>;
  /** Asked each time: the configuration is live. */
  isEnabled(): boolean;
}

export function createSchedulerState(deps: SchedulerStateDeps): () => Promise<SchedulerState> {
  return async () => ({ isEnabled: deps.isEnabled(), ...(await deps.jobs.summarize()) });
}
