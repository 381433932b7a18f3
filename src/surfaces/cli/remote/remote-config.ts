import type { JsonObject } from '../../../core/json.ts';
import { configDocument, configSaved } from '../../http/runtime-shapes.ts';
import type { ConfigAccess } from '../config-access.ts';
import { createAdminClient } from './admin-client.ts';
import type { ServerLinkOptions } from './server-link.ts';

/** The configuration of a running server. */
export function createRemoteConfig(options: ServerLinkOptions): ConfigAccess {
  const { get, patch } = createAdminClient(options);
  return {
    // It came as JSON, so whatever is in it is JSON.
    read: async () => (await get('/config', configDocument)) as JsonObject,
    patch: (change) => patch('/config', configSaved, change),
  };
}
