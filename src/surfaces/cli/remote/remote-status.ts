import { type StatusShape, status } from '../../http/runtime-shapes.ts';
import { createAdminClient } from './admin-client.ts';
import type { ServerLinkOptions } from './server-link.ts';

/** Runs are counted, not shown: `claw runs list` does that. */
const FEWEST_RUNS = 1;

export function readRemoteStatus(options: ServerLinkOptions): Promise<StatusShape> {
  return createAdminClient(options).get(`/status?limit=${FEWEST_RUNS}`, status);
}
