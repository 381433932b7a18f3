/** What a scheduler is told to do. Read at every tick: the configuration is live. */
export interface SchedulerSettings {
  /** False: nothing is fired, and nothing recorded as missed until it is true again. */
  readonly isEnabled: boolean;
  /** Open runs of all jobs together. */
  readonly maxConcurrentJobs: number;
  /** How late a slot may still be fired. */
  readonly misfireGraceMs: number;
  /** Firings remembered per job. */
  readonly historyPerJob: number;
  /** As for every run: no more than these wait in the queue. */
  readonly maxQueued: number;
  /** As for every run: no more than these wait in one session. */
  readonly maxWaitingInSession: number;
}
