import { COUNTS_ONLY, readStatus } from '../../../operations/status/status.ts';
import type { StatusShape } from '../../../operations/status/status-shapes.ts';
import { openClient } from './open-client.ts';
import type { ServerLinkOptions } from './server-link.ts';

/** For those who look at a server, and at nothing else when there is none. */
export function readRemoteStatus(options: ServerLinkOptions): Promise<StatusShape> {
  return openClient(options).call(readStatus, COUNTS_ONLY);
}
