import { RuntimeError } from '../errors.ts';
import type { WorkerId } from '../ids.ts';
import type { Worker } from './worker.ts';

export function workerNotFound(id: WorkerId): RuntimeError {
  return new RuntimeError('not_found', `worker ${id} does not exist`, {
    details: { thing: 'worker' },
  });
}

export function notOwned(): RuntimeError {
  return new RuntimeError('forbidden', 'worker does not belong to principal');
}

export function notRunning({ status }: Worker): RuntimeError {
  const message =
    status === 'stopped' || status === 'failed'
      ? `worker is ${status}; create or reattach to resume`
      : `worker is not running but ${status}`;
  return new RuntimeError('conflict', message);
}

export function attachedElsewhere(id: WorkerId): RuntimeError {
  return new RuntimeError('conflict', `worker ${id} is attached to another server`);
}
