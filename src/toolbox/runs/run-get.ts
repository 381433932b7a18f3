import * as z from 'zod';
import type { RunId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { describeWholeRun } from './describe-run.ts';
import { getVisible } from './get-visible.ts';
import { repairRunArguments } from './repair-run-arguments.ts';
import { runIdField } from './run-fields.ts';

const input = z.strictObject({ run_id: runIdField('The run to look at.') });

export function createRunGet(runs: Pick<Runs, 'get'>): Tool {
  return defineTool<z.infer<typeof input>, JsonObject>({
    name: 'run.get',
    description: 'Look at one run: its message, status, answer, error, usage and times.',
    effect: 'read',
    serves: 'everyone',
    source: 'src/toolbox/runs/run-get.ts',
    input,
    repair: repairRunArguments,
    summarize: ({ run_id }, { status }) => `run ${run_id} is ${String(status)}`,

    async execute({ run_id }, { principal }) {
      return describeWholeRun(await getVisible(runs, run_id as RunId, principal));
    },
  });
}
