import type { AgentStore } from '../../core/agents/agent.ts';
import type { Approvals } from '../../core/approvals/approvals.ts';
import type { Effects } from '../../core/effects/effects.ts';
import type { Capabilities } from '../../core/policy/capabilities.ts';
import type { ToolRegistry } from '../../core/tools/registry.ts';
import type { ToolAdmin } from '../../core/tools/tool-admin.ts';
import { createToolGrants } from '../../core/tools/tool-grants.ts';
import { encodeDottedError } from '../http/dotted-errors.ts';
import type { Authenticate, Surface } from '../http/surface.ts';
import { addApprovalRoutes } from './approval-routes.ts';
import { addCapabilityRoutes } from './capability-routes.ts';
import { addEffectRoutes } from './effect-routes.ts';
import { addMcpRoutes } from './mcp-routes.ts';
import { type McpServers, NO_SERVERS } from './mcp-servers.ts';
import { addToolRoutes } from './tool-routes.ts';

export interface AdminDeps {
  readonly effects: Effects;
  readonly approvals: Pick<Approvals, 'list' | 'get' | 'decide'>;
  readonly capabilities: Capabilities;
  readonly toolAdmin: ToolAdmin;
  readonly registry: Pick<ToolRegistry, 'find' | 'list'>;
  readonly agents: Pick<AgentStore, 'find'>;
  /** Undefined when no external server is configured. */
  readonly mcp: McpServers | undefined;
  readonly authenticate: Authenticate;
}

/** `/api/admin`: what operators see and settle. */
export function createAdminSurface(deps: AdminDeps): Surface {
  return {
    name: 'admin',
    prefix: '/api/admin',
    encodeError: encodeDottedError,
    authenticate: deps.authenticate,
    routes(app) {
      addEffectRoutes(app, deps.effects);
      addApprovalRoutes(app, deps.approvals);
      addToolRoutes(app, deps.toolAdmin);
      addCapabilityRoutes(app, createToolGrants(deps));
      addMcpRoutes(app, deps.mcp ?? NO_SERVERS);
    },
  };
}
