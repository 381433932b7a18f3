import type { Runs } from '../runs/runs.ts';
import type { SubmitReceipt, SubmitRun } from '../runs/submit-run.ts';
import { sessionNotFound } from '../sessions/session-not-found.ts';
import type { Sessions } from '../sessions/sessions.ts';

export interface SubmitToSessionDeps {
  readonly runs: Pick<Runs, 'submit'>;
  readonly sessions: Pick<Sessions, 'get'>;
}

/** Submits a run, and when it names a session, only to one of its own agent: `not_found` for any other. */
export async function submitToSession(
  deps: SubmitToSessionDeps,
  request: SubmitRun,
): Promise<SubmitReceipt> {
  if (request.sessionId !== undefined) {
    const { agentId } = await deps.sessions.get(request.sessionId);
    if (agentId !== request.agentId) throw sessionNotFound(request.sessionId);
  }
  return deps.runs.submit(request);
}
