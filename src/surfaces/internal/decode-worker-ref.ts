import type { FastifyRequest } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import type { WorkerId } from '../../core/ids.ts';
import { WORKER_ID_PATTERN } from '../../core/workers/worker.ts';
import type { WorkerRef, Workers } from '../../core/workers/workers.ts';
import { getPositivePrincipal } from './principal.ts';

/**
 * The contract has an order: the principal is missing, there is no such worker, it is somebody else's, and only then
 * what else is wrong with the request. Routes that keep it set `attachValidation` and begin with this.
 */
export function decodeWorkerRef(request: FastifyRequest): WorkerRef {
  const principal = getPositivePrincipal(request);
  const { worker_id: id } = request.params as { readonly worker_id: string };
  if (WORKER_ID_PATTERN.test(id)) return { id: id as WorkerId, principal };
  throw new RuntimeError('not_found', 'a worker with such an id can not exist', {
    details: { thing: 'worker' },
  });
}

/** Says what is wrong with the rest of a request to those whom it concerns. */
export async function assertValidFor(
  request: FastifyRequest,
  workers: Pick<Workers, 'get'>,
  ref: WorkerRef,
): Promise<void> {
  const { validationError } = request;
  if (!validationError) return;
  await workers.get(ref);
  throw validationError;
}
