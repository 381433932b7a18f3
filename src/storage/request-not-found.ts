import { RuntimeError } from '../core/errors.ts';
import type { WorkerId } from '../core/ids.ts';

export function requestNotFound(workerId: WorkerId, requestId: string): RuntimeError {
  return new RuntimeError(
    'not_found',
    `request ${requestId} of worker ${workerId} does not exist`,
    {
      details: { thing: 'request' },
    },
  );
}
