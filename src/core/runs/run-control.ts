import type { StepGuard } from '../loop/step-guard.ts';

/** What reaches a run in hand from outside its loop: that it has to stop, and that somebody has written to it. */
export class RunControl extends AbortController {
  /** What stands before its steps; absent, nothing does. */
  guard: StepGuard | undefined;
  /** Stays: whoever was written to once looks before every turn. Everybody else's turns cost no look. */
  hasMail = false;
}
