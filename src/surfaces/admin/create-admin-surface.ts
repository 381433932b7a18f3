import type { AgentStore } from '../../core/agents/agent.ts';
import type { Agents } from '../../core/agents/agents.ts';
import type { Approvals } from '../../core/approvals/approvals.ts';
import type { StandingAnswers } from '../../core/approvals/standing-answers.ts';
import type { ConfigEditor } from '../../core/config-editor.ts';
import type { Effects } from '../../core/effects/effects.ts';
import type { WatchDeps } from '../../core/events/watch-events.ts';
import type { MailStore } from '../../core/mail/mail.ts';
import type { Capabilities } from '../../core/policy/capabilities.ts';
import type { Audit } from '../../core/records/audit.ts';
import type { RunReader } from '../../core/runs/runs.ts';
import type { Jobs } from '../../core/schedule/jobs.ts';
import type { SchedulerState } from '../../core/schedule/scheduler-state.ts';
import type { Secrets } from '../../core/secrets/secrets.ts';
import type { Sessions } from '../../core/sessions/sessions.ts';
import type { ReadStatus } from '../../core/status.ts';
import type { ToolRegistry } from '../../core/tools/registry.ts';
import type { ToolAdmin } from '../../core/tools/tool-admin.ts';
import { createToolGrants } from '../../core/tools/tool-grants.ts';
import { encodeDottedError } from '../http/dotted-errors.ts';
import type { Authenticate, Surface } from '../http/surface.ts';
import { addAgentRoutes } from './agent-routes.ts';
import { addApprovalRoutes } from './approval-routes.ts';
import { addAuditRoutes } from './audit-routes.ts';
import { addCapabilityRoutes } from './capability-routes.ts';
import { addConfigRoutes } from './config-routes.ts';
import { addEffectRoutes } from './effect-routes.ts';
import { addLiveRoutes } from './live-routes.ts';
import { addMailRoutes } from './mail-routes.ts';
import { addMcpRoutes } from './mcp-routes.ts';
import { type McpServers, NO_SERVERS } from './mcp-servers.ts';
import { addSchedulerRoutes } from './scheduler-routes.ts';
import { addSecretRoutes } from './secret-routes.ts';
import { addSessionRoutes } from './session-routes.ts';
import { addStatusRoutes } from './status-routes.ts';
import { addToolRoutes } from './tool-routes.ts';

export interface AdminDeps {
  readonly readStatus: ReadStatus;
  readonly runs: Pick<RunReader, 'get' | 'trace'>;
  /** For the stream of all events. */
  readonly watch: WatchDeps;
  readonly config: ConfigEditor;
  readonly secrets: Pick<Secrets, 'list' | 'put' | 'remove'>;
  readonly sessions: Sessions;
  readonly agentAdmin: Agents;
  readonly jobs: Jobs;
  readScheduler(): Promise<SchedulerState>;
  readonly mail: Pick<MailStore, 'list'>;
  readonly audit: Audit;
  readonly effects: Effects;
  readonly approvals: Pick<Approvals, 'list' | 'get' | 'decide'>;
  readonly standing: StandingAnswers;
  readonly capabilities: Capabilities;
  readonly toolAdmin: ToolAdmin;
  readonly registry: Pick<ToolRegistry, 'find' | 'list'>;
  readonly agents: Pick<AgentStore, 'find'>;
  /** Undefined when no external server is configured. */
  readonly mcp: McpServers | undefined;
  readonly authenticate: Authenticate;
}

/** `/api/admin`: what operators see, change and settle. */
export function createAdminSurface(deps: AdminDeps): Surface {
  return {
    name: 'admin',
    prefix: '/api/admin',
    encodeError: encodeDottedError,
    authenticate: deps.authenticate,
    routes(app, kit) {
      addStatusRoutes(app, deps);
      addLiveRoutes(app, deps.watch, kit);
      addConfigRoutes(app, deps.config);
      addSecretRoutes(app, deps.secrets);
      addSessionRoutes(app, { sessions: deps.sessions, agents: deps.agentAdmin });
      addSchedulerRoutes(app, { jobs: deps.jobs, readState: () => deps.readScheduler() });
      addAgentRoutes(app, deps.agentAdmin);
      addCapabilityRoutes(app, createToolGrants(deps));
      addMailRoutes(app, { agents: deps.agentAdmin, mail: deps.mail });
      addEffectRoutes(app, deps.effects);
      addApprovalRoutes(app, deps);
      addToolRoutes(app, deps.toolAdmin);
      addMcpRoutes(app, deps.mcp ?? NO_SERVERS);
      addAuditRoutes(app, deps.audit);
    },
  };
}
