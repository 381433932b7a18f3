import type { Runtime } from './app.ts';
import { systemClock } from './core/clock.ts';
import { RuntimeError } from './core/errors.ts';
import { DEFAULT_AGENT_ID } from './core/ids.ts';
import type { Tool } from './core/tools/tool.ts';
import { createAdminSurface } from './surfaces/admin/create-admin-surface.ts';
import { createBearerAuth } from './surfaces/http/bearer-auth.ts';
import { createRateLimiter } from './surfaces/http/rate-limiter.ts';
import type { Surface } from './surfaces/http/surface.ts';
import { createMcpServer, type McpServer } from './surfaces/mcp/create-mcp-server.ts';
import { createMcpSurface } from './surfaces/mcp/create-mcp-surface.ts';
import { createV1Surfaces } from './surfaces/v1/create-v1-surfaces.ts';
import { VERSION } from './version.ts';

export interface MountedSurfaces {
  readonly surfaces: readonly Surface[];
  close(): Promise<void>;
}

/** Clients whose failed authentications are remembered at once. */
const MAX_FAILURE_KEYS = 10_000;

/** Every contract that a server speaks over HTTP, laid over one runtime. */
export function mountSurfaces(
  runtime: Runtime,
  metrics: { render(): Promise<string> },
): MountedSurfaces {
  const { config, credentials } = runtime.loaded;
  const token = credentials.bearerToken;
  if (token === undefined) {
    throw new RuntimeError(
      'config_invalid',
      'there is no bearer token: run claw init, or set API_BEARER_TOKEN',
    );
  }
  const failures = createRateLimiter({
    max: config.api.auth_failures_per_minute,
    windowMs: 60_000,
    maxKeys: MAX_FAILURE_KEYS,
    nowMs: () => systemClock.nowMs(),
  });
  const authenticate = createBearerAuth({ token, failures });
  const mcpServer = openMcpServer(runtime);
  return {
    surfaces: [
      ...createV1Surfaces({
        runs: runtime.runs,
        ping: () => runtime.storage.ping(),
        metrics,
        metricsPublic: config.server.metrics_public,
        authenticate,
        authenticateBrowser: createBearerAuth({ token, failures, acceptsBasic: true }),
      }),
      createAdminSurface({
        effects: runtime.effects,
        approvals: runtime.approvals,
        capabilities: runtime.capabilities,
        toolAdmin: runtime.toolAdmin,
        registry: runtime.registry,
        agents: runtime.storage.agents,
        mcp: runtime.mcp,
        authenticate,
      }),
      createMcpSurface({ server: mcpServer, authenticate }),
    ],
    close: () => mcpServer.close(),
  };
}

/** The runtime for MCP clients: runs, and what the default agent may use of our own tools. */
export function openMcpServer(runtime: Runtime): McpServer {
  return createMcpServer({
    runs: runtime.runs,
    registry: runtime.registry,
    agentId: DEFAULT_AGENT_ID,
    // Passing other servers' tools on would hide from a client whom it talks to.
    isExposed: (tool: Tool) =>
      !tool.name.startsWith('mcp__') && runtime.isGranted(DEFAULT_AGENT_ID, tool),
    logger: runtime.logger,
    version: VERSION,
  });
}
