import type { FastifyRequest } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import { RUN_ID_PATTERN, type RunId } from '../../core/ids.ts';
import { isJsonObject } from '../../core/json.ts';
import type { ThreadRef, Threads } from '../../core/threads/threads.ts';
import { MAX_NAME_CHARS, threadId } from './fields.ts';
import { getPrincipal } from './principal.ts';

/**
 * The contract has an order: `thread_id` is missing, the principal is, there is no such run, it is somebody else's, and
 * only then what else is wrong with the request. Routes that keep it set `attachValidation` and begin with this.
 * `fields` is where the route has its `thread_id`, as it came.
 */
export function decodeThreadRef(request: FastifyRequest, fields: unknown): ThreadRef {
  const thread = decodeThreadId(fields);
  const principal = getPrincipal(request);
  const { run_id: runId } = request.params as { readonly run_id: string };
  if (!RUN_ID_PATTERN.test(runId)) {
    throw new RuntimeError('not_found', 'a run with such an id can not exist', {
      details: { thing: 'run' },
    });
  }
  return { runId: runId as RunId, threadId: thread, principal };
}

/** Says what is wrong with the rest of a request to those whom it concerns. */
export async function assertValid(
  request: FastifyRequest,
  threads: Pick<Threads, 'get'>,
  ref: ThreadRef,
): Promise<void> {
  const { validationError } = request;
  if (!validationError) return;
  await threads.get(ref);
  throw validationError;
}

export function decodeThreadId(fields: unknown): string {
  const given = isJsonObject(fields) ? fields['thread_id'] : undefined;
  if (given === undefined || given === null || given === '') {
    throw new RuntimeError('invalid_input', 'thread_id is required');
  }
  const parsed = threadId.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new RuntimeError(
    'invalid_input',
    `thread_id must be a text of at most ${MAX_NAME_CHARS} characters that can be stored`,
  );
}
