import { RuntimeError } from '../errors.ts';

export function sessionNotFound(id: string): RuntimeError {
  return new RuntimeError('not_found', `session ${id} does not exist`, {
    details: { thing: 'session' },
  });
}
