import type { SubmitReceipt } from '../runs/submit-run.ts';
import type { ForkDeps, ForkRun } from './fork-run.ts';

export interface Forks {
  /** Throws `not_found`, `conflict`, `stale_cursor`, and `invalid_input` where there is nothing to go on from. */
  fork(request: ForkRun): Promise<SubmitReceipt>;
}

/** Loaded when somebody forks. */
export function createForks(deps: ForkDeps): Forks {
  return {
    async fork(request) {
      const { forkRun } = await import('./fork-run.ts');
      return forkRun(deps, request);
    },
  };
}
