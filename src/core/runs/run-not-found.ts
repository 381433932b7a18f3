import { RuntimeError } from '../errors.ts';

/** Names the thing, so that a surface can say what was not found in its own words. */
export function runNotFound(id: string): RuntimeError {
  return new RuntimeError('not_found', `run ${id} does not exist`, { details: { thing: 'run' } });
}
