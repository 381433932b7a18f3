import { RUN_ID_PATTERN, type RunId } from '../../../../core/ids.ts';
import { parseError } from '../../program/errors.ts';

/** Checked before it becomes part of a path or a query. */
export function parseRunId(argument: string | undefined, command: string): RunId {
  if (argument !== undefined && RUN_ID_PATTERN.test(argument)) return argument as RunId;
  throw parseError(`${JSON.stringify(argument?.slice(0, 140) ?? '')} is not a run id`, {
    target: command,
    hint: 'ids look like run_01jv8z4q0k6c…; claw runs list shows them',
  });
}
