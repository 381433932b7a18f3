import type { FinishedCall } from '../tools/tool-runner.ts';

/** Stands before and after what a run does outside of itself. Whatever throws here stops the run as it is. */
export interface StepGuard {
  /** Before a model is asked; what it answers with is called when that is over, however it ended. */
  askModel(): Promise<() => void>;
  callTool(): Promise<void>;
  /** Before the result is put on record. */
  calledTool(finished: FinishedCall): Promise<void>;
}
