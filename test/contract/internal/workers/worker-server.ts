import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { assembleWorkers } from '../../../../src/assembly/assemble-workers.ts';
import { findProjections } from '../../../../src/core/projection/find-projections.ts';
import type { Answer } from '../../v1/http-client.ts';
import { type InternalServer, openInternalServer } from '../test-internal-server.ts';

export const WORKERS = '/codex/workers';
export const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const EXAMPLE = join(import.meta.dirname, '../../../../examples/json-rpc-worker/worker.mjs');

/** The example worker, as an operator would allow it. */
export const PROCESS = {
  process: {
    enabled: true,
    commands: { example: { command: process.execPath, args: [EXAMPLE] } },
  },
};

/** `/internal/v1` with workers; their programs end with the test. */
export function openWorkerServer(config: object = {}): Promise<InternalServer> {
  return openInternalServer({
    config: { workers: config },
    async deps(runtime) {
      const { workers, start, stop } = assembleWorkers(runtime);
      await start();
      onTestFinished(stop);
      return {
        codexWorkers: workers,
        findWorkerProjections: (found) =>
          findProjections(runtime.storage.projections, 'codex_worker_summary', found),
      };
    },
  });
}

export async function attach(
  server: InternalServer,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { status, text } = await server.post(WORKERS, { worker_id: 'codexw_1', ...fields });
  if (status !== 202) throw new Error(`the worker was not attached: ${status} ${text}`);
  return `${WORKERS}/${fields['worker_id'] ?? 'codexw_1'}`;
}

/** Status and error, or status and body. */
export function outcomeOf({ status, body }: Answer): readonly unknown[] {
  const { error } = (body ?? {}) as { readonly error?: unknown };
  return [status, error ?? body];
}

export const NO_PRINCIPAL = [
  401,
  { code: 'unauthorized', message: 'missing or invalid principal headers' },
];
export const NOT_OWNED = [
  403,
  { code: 'forbidden', message: 'worker does not belong to principal' },
];
export const UNKNOWN = [404, { code: 'not_found', message: 'worker codexw_2 does not exist' }];
export const IMPOSSIBLE = [
  404,
  { code: 'not_found', message: 'a worker with such an id can not exist' },
];
export const STOPPED = [
  409,
  { code: 'conflict', message: 'worker is stopped; create or reattach to resume' },
];
export const invalid = (message: string) => [400, { code: 'invalid_request', message }];
