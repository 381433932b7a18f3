import { rpcResult } from '../core/workers/json-rpc.ts';
import type { SharedAdapter } from '../core/workers/worker-adapter.ts';

/** Accepts every request and gives it back: for building against the API, and for workers that report by themselves. */
export function createInMemoryAdapter(): SharedAdapter {
  return {
    name: 'in_memory',
    kind: 'shared',
    call: async ({ id, method, params }, { requestCount }) =>
      rpcResult(id, {
        status: 'accepted',
        method,
        echo: params ?? null,
        request_count: requestCount,
      }),
  };
}
