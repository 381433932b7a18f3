import { RuntimeError } from '../../core/errors.ts';
import type { Runs } from '../../core/runs/runs.ts';
import type { ToolContext } from '../../core/tools/tool.ts';

/** The project of the run that calls; undefined for one without, and for a call outside of runs. */
export async function findProject(
  runs: Pick<Runs, 'get'>,
  { runId }: Pick<ToolContext, 'runId'>,
): Promise<string | undefined> {
  try {
    return (await runs.get(runId)).projectId;
  } catch (thrown) {
    if (thrown instanceof RuntimeError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}
