import { type McpAccess, mcpServerList, mcpToolPin } from '../mcp-access.ts';
import { at, createAdminClient } from './admin-client.ts';
import type { ServerLinkOptions } from './server-link.ts';

/** The external tool servers of a running server. */
export function createRemoteMcp(options: ServerLinkOptions): McpAccess {
  const { get, once } = createAdminClient(options);
  return {
    list: () => get('/mcp', mcpServerList),
    approve: ({ server, tool, hash }) =>
      once(
        at`/mcp/${server}/tools/${tool}/approve`,
        mcpToolPin,
        hash === undefined ? {} : { hash },
      ),
  };
}
