import type { RunId } from '../../core/ids.ts';
import { maySee } from '../../core/principal.ts';
import type { Run } from '../../core/runs/run.ts';
import { runNotFound } from '../../core/runs/run-not-found.ts';
import type { Runs } from '../../core/runs/runs.ts';

/** Throws `not_found` also for a run that is none of the principal's. */
export async function getVisible(
  runs: Pick<Runs, 'get'>,
  id: RunId,
  principal: string,
): Promise<Run> {
  const run = await runs.get(id);
  if (!maySee(principal, run.owner)) throw runNotFound(id);
  return run;
}
