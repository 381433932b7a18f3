import { ERROR_CATALOGUE, type ErrorCode } from '../../../../core/errors.ts';
import type { RunSummary } from '../../../../operations/runs/run-shapes.ts';
import { CLI_ERRORS } from '../../program/errors.ts';
import type { ErrorBlock } from '../../program/failure.ts';

/** What a run that failed or was cancelled says about itself. */
export function toRunFault(run: RunSummary): ErrorBlock {
  const code = run.error?.code as ErrorCode | undefined;
  const isKnown = code !== undefined && Object.hasOwn(CLI_ERRORS, code);
  return {
    kind: isKnown && code !== 'not_found' ? CLI_ERRORS[code][0] : 'runtime',
    operation: 'run',
    target: run.id,
    retryable: isKnown ? ERROR_CATALOGUE[code].retryable : false,
    message: run.error?.message ?? `run ${run.id} was cancelled`,
    hint: `claw runs show ${run.id} tells what happened`,
  };
}
