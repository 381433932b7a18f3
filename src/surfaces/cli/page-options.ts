import { RUN_ID_PATTERN } from '../../core/ids.ts';
import { parseError } from './program/errors.ts';

export const DEFAULT_LIMIT = 20;

/** Of lists that page by cursor. */
export function pageOptions(maxLimit: number) {
  return {
    limit: {
      kind: 'number',
      value: 'N',
      min: 1,
      max: maxLimit,
      isWhole: true,
      summary: `at most this many (default ${DEFAULT_LIMIT}, at most ${maxLimit})`,
    },
    cursor: {
      kind: 'text',
      value: 'CURSOR',
      summary: 'go on there: the next_cursor of the page before',
    },
  } as const;
}

export const RUN_OPTION = {
  kind: 'text',
  value: 'RUN',
  summary: 'only those of this run',
} as const;

export function parseRunOption(run: string | undefined, command: string): string | undefined {
  if (run === undefined || RUN_ID_PATTERN.test(run)) return run;
  throw parseError(`option --run must be a run id (it is ${JSON.stringify(run.slice(0, 140))})`, {
    target: command,
  });
}
