import * as z from 'zod';
import { RuntimeError } from '../../core/errors.ts';
import type { RunId } from '../../core/ids.ts';
import type { RunStatus } from '../../core/runs/run.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { getVisible } from './get-visible.ts';
import { repairRunArguments } from './repair-run-arguments.ts';
import { runIdField } from './run-fields.ts';

const MAX_REASON_CHARS = 500;

const input = z.strictObject({
  run_id: runIdField('The run to cancel; not the one that asks.'),
  reason: z
    .string({ error: 'reason must be a string' })
    .max(MAX_REASON_CHARS, `reason must have at most ${MAX_REASON_CHARS} characters`)
    .describe('Why, for the record.')
    .optional(),
});

interface Cancelled {
  readonly run_id: string;
  readonly status: RunStatus;
  /** False when it had ended, or somebody had asked for it before. */
  readonly requested: boolean;
  readonly summary: string;
}

export function createRunCancel(runs: Pick<Runs, 'get' | 'cancel'>): Tool {
  return defineTool<z.infer<typeof input>, Cancelled>({
    name: 'run.cancel',
    description:
      'Cancel another run. A queued run ends at once; a running one turns cancelling and ends soon after. A run ' +
      'that has ended stays as it is.',
    effect: 'write',
    idempotent: true,
    serves: 'everyone',
    source: 'src/toolbox/runs/run-cancel.ts',
    input,
    repair: repairRunArguments,
    summarize: (_, { summary }) => summary,

    async execute({ run_id, reason }, ctx) {
      if (run_id === ctx.runId) {
        const message = 'a run can not cancel itself; answer without further tool calls to end it';
        throw new RuntimeError('tool_input_invalid', message, { details: { field: 'run_id' } });
      }
      await getVisible(runs, run_id as RunId, ctx.principal);
      const { run, recorded } = await runs.cancel({
        runId: run_id as RunId,
        reason: reason ?? `cancelled by run ${ctx.runId}`,
        actor: 'model',
      });
      const summary = recorded
        ? `asked run ${run_id} to end; it is ${run.status}`
        : `run ${run_id} was ${run.status} already`;
      return { run_id, status: run.status, requested: recorded, summary };
    },
  });
}
