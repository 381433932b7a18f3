import { RuntimeError } from '../core/errors.ts';
import type { ToolPin } from '../core/tools/tool-pin.ts';
import { type ParsedServer, parseServerConfigs } from './server-config.ts';
import { ServerLink, type ServerLinkDeps } from './server-link.ts';
import type { McpServerStatus } from './server-status.ts';

export type McpClientsDeps = ServerLinkDeps;

/** The external servers of a runtime. Their tools come and go in the registry under `mcp:<server>`. */
export interface McpClients {
  /** Every configured server, by name, the broken and the disabled among them. */
  status(): readonly McpServerStatus[];
  /** Resolves when each server has been tried once: for commands that need their tools. Nothing else waits. */
  tried(): Promise<void>;
  approve(request: {
    readonly server: string;
    readonly tool: string;
    readonly hash?: string;
  }): Promise<ToolPin>;
  refresh(server: string): Promise<void>;
  close(): Promise<void>;
}

/** Returns at once: servers are connected in the background, each by itself. */
export function openMcpClients(
  servers: Readonly<Record<string, unknown>>,
  deps: McpClientsDeps,
): McpClients {
  const links = new Map<string, ServerLink>();
  const idle: McpServerStatus[] = [];
  for (const parsed of parseServerConfigs(servers)) {
    if ('problem' in parsed) {
      deps.logger.warn({ server: parsed.name, reason: parsed.problem }, 'mcp server is not usable');
      idle.push(toIdleStatus(parsed, deps.clock.nowMs()));
    } else if (parsed.config.disabled) idle.push(toIdleStatus(parsed, deps.clock.nowMs()));
    else links.set(parsed.name, new ServerLink(parsed, deps));
  }

  function getLink(name: string): ServerLink {
    const link = links.get(name);
    if (link) return link;
    throw new RuntimeError('not_found', `there is no running mcp server named ${name}`, {
      details: { thing: 'mcp_server' },
    });
  }

  return {
    status: () =>
      [...idle, ...[...links.values()].map((link) => link.status())].sort((a, b) =>
        a.name < b.name ? -1 : 1,
      ),

    async tried() {
      await Promise.all([...links.values()].map((link) => link.tried));
    },

    approve: async ({ server, ...approval }) => getLink(server).approve(approval),

    refresh: async (server) => getLink(server).refresh(),

    async close() {
      await Promise.all([...links.values()].map((link) => link.close()));
    },
  };
}

function toIdleStatus(parsed: ParsedServer, nowMs: number): McpServerStatus {
  const isInvalid = 'problem' in parsed;
  return {
    name: parsed.name,
    transport: isInvalid ? undefined : parsed.config.type,
    state: isInvalid ? 'invalid' : 'disabled',
    lastError: isInvalid
      ? { phase: 'config_load', message: parsed.problem, atMs: nowMs }
      : undefined,
    nextRetryAtMs: undefined,
    serverInfo: undefined,
    protocolVersion: undefined,
    tools: [],
    rejectedTools: [],
  };
}
