import type { JobId } from '../ids.ts';
import type { Jobs } from './jobs.ts';

/** The scheduler at a glance. */
export interface SchedulerState {
  /** Whether the configuration lets this runtime fire jobs. */
  readonly isEnabled: boolean;
  /** Whether somebody holds all firing back. */
  readonly isPaused: boolean;
  /** Counted up to `MAX_COUNTED_JOBS`. */
  readonly jobCount: number;
  /** The enabled job that is due first, of those counted. */
  readonly next: { readonly jobId: JobId; readonly slotMs: number } | undefined;
}

export interface SchedulerStateDeps {
  readonly jobs: Pick<Jobs, 'list' | 'isPaused'>;
  /** Asked each time: the configuration is live. */
  isEnabled(): boolean;
}

const PAGE_SIZE = 200;
/** As many as the configuration allows unless somebody raised it. */
export const MAX_COUNTED_JOBS = 1_000;

export function createSchedulerState(deps: SchedulerStateDeps): () => Promise<SchedulerState> {
  return async () => {
    let jobCount = 0;
    let next: SchedulerState['next'];
    let after: JobId | undefined;
    do {
      const page = await deps.jobs.list({
        limit: PAGE_SIZE,
        ...(after === undefined ? {} : { after }),
      });
      jobCount += page.jobs.length;
      for (const { id, isEnabled, nextSlotMs } of page.jobs) {
        if (!isEnabled || nextSlotMs === undefined) continue;
        if (next === undefined || nextSlotMs < next.slotMs)
          next = { jobId: id, slotMs: nextSlotMs };
      }
      after = page.next;
    } while (after !== undefined && jobCount < MAX_COUNTED_JOBS);
    return { isEnabled: deps.isEnabled(), isPaused: await deps.jobs.isPaused(), jobCount, next };
  };
}
