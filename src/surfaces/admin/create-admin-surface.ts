import type { FastifyRequest } from 'fastify';
import type { AgentStore } from '../../core/agents/agent.ts';
import type { Agents } from '../../core/agents/agents.ts';
import type { Approvals } from '../../core/approvals/approvals.ts';
import type { PreviewCall } from '../../core/approvals/proposed-change.ts';
import type { StandingAnswers } from '../../core/approvals/standing-answers.ts';
import type { ConfigEditor } from '../../core/config-editor.ts';
import type { Effects } from '../../core/effects/effects.ts';
import type { WatchDeps } from '../../core/events/watch-events.ts';
import type { ModelProviders } from '../../core/integrations/model-providers.ts';
import type { KillSwitch } from '../../core/kill-switch/kill-switch.ts';
import type { MailStore } from '../../core/mail/mail.ts';
import type { Bridge } from '../../core/openclaw/bridge.ts';
import type { Parcels } from '../../core/parcels/parcels.ts';
import type { Capabilities } from '../../core/policy/capabilities.ts';
import type { Audit } from '../../core/records/audit.ts';
import type { Redactor } from '../../core/redact/redact.ts';
import type { RunReader } from '../../core/runs/runs.ts';
import type { Calendar } from '../../core/schedule/calendar.ts';
import type { Jobs } from '../../core/schedule/jobs.ts';
import type { SchedulerState } from '../../core/schedule/scheduler-state.ts';
import type { Secrets } from '../../core/secrets/secrets.ts';
import type { Sessions } from '../../core/sessions/sessions.ts';
import type { SignIns } from '../../core/sign-ins/sign-ins.ts';
import type { SkillParts } from '../../core/skills/list-skills.ts';
import type { ReadStatus } from '../../core/status.ts';
import type { ToolRegistry } from '../../core/tools/registry.ts';
import type { ToolAdmin } from '../../core/tools/tool-admin.ts';
import { createToolGrants } from '../../core/tools/tool-grants.ts';
import type { WorkerOversight } from '../../core/workers/oversee-workers.ts';
import { AGENT_OPERATIONS } from '../../operations/agents/agents.ts';
import { PARCEL_OPERATIONS } from '../../operations/agents/parcels.ts';
import { APPROVAL_OPERATIONS, INBOX_OPERATIONS } from '../../operations/approvals/approvals.ts';
import { AUDIT_OPERATIONS } from '../../operations/audit/audit.ts';
import { CAPABILITY_OPERATIONS } from '../../operations/capabilities/capabilities.ts';
import { CONFIG_OPERATIONS } from '../../operations/config/config.ts';
import { EFFECT_OPERATIONS } from '../../operations/effects/effects.ts';
import { CALENDAR_OPERATIONS } from '../../operations/jobs/calendar.ts';
import { JOB_OPERATIONS } from '../../operations/jobs/jobs.ts';
import { KILL_SWITCH_OPERATIONS } from '../../operations/kill-switch/kill-switch.ts';
import { MAIL_OPERATIONS } from '../../operations/mail/mail.ts';
import { MCP_OPERATIONS } from '../../operations/mcp/mcp.ts';
import type { McpServers } from '../../operations/mcp/mcp-servers.ts';
import { MODEL_PROVIDER_OPERATIONS } from '../../operations/model-providers/model-providers.ts';
import { BRIDGE_OPERATIONS } from '../../operations/openclaw/bridge.ts';
import { getTrace } from '../../operations/runs/runs.ts';
import { SECRET_OPERATIONS } from '../../operations/secrets/secrets.ts';
import { SESSION_OPERATIONS } from '../../operations/sessions/sessions.ts';
import { SIGN_IN_OPERATIONS, type SignInAccess } from '../../operations/sign-ins/sign-ins.ts';
import { SKILL_OPERATIONS } from '../../operations/skills/skills.ts';
import { STATUS_OPERATIONS } from '../../operations/status/status.ts';
import { TOOL_OPERATIONS } from '../../operations/tools/tools.ts';
import { WORKER_OPERATIONS } from '../../operations/workers/workers.ts';
import { addOperation, addOperations } from '../http/add-operations.ts';
import { encodeDottedError } from '../http/answers/dotted-errors.ts';
import type { Authenticate, Surface } from '../http/surface.ts';
import { addAuditRoutes } from './audit-routes.ts';
import { addLiveRoutes } from './live-routes.ts';

export interface AdminDeps {
  readonly readStatus: ReadStatus;
  readonly runs: Pick<RunReader, 'get' | 'trace'>;
  /** For the stream of all events. */
  readonly watch: WatchDeps;
  readonly config: ConfigEditor;
  readonly secrets: Pick<Secrets, 'list' | 'put' | 'remove'>;
  readonly sessions: Sessions;
  readonly agentAdmin: Agents;
  readonly parcels: Parcels;
  readonly jobs: Jobs;
  readScheduler(): Promise<SchedulerState>;
  readonly calendar: Calendar;
  readonly mail: Pick<MailStore, 'list'>;
  readonly killSwitch: KillSwitch;
  readonly audit: Audit;
  readonly effects: Effects;
  readonly approvals: Pick<Approvals, 'list' | 'get' | 'decide'>;
  readonly standing: StandingAnswers;
  readonly previewCall: PreviewCall;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly capabilities: Capabilities;
  readonly toolAdmin: ToolAdmin;
  readonly registry: Pick<ToolRegistry, 'find' | 'list'>;
  readonly agents: AgentStore;
  readonly mcp: McpServers;
  readonly modelProviders: ModelProviders;
  readonly openclaw: Bridge;
  readonly signIns: SignIns;
  readonly skills: SkillParts;
  readonly workerOversight: WorkerOversight;
  readonly authenticate: Authenticate;
}

/** `/api/admin`: what operators see, change and settle. */
export function createAdminSurface(deps: AdminDeps): Surface {
  return {
    name: 'admin',
    prefix: '/api/admin',
    encodeError: encodeDottedError,
    authenticate: deps.authenticate,
    async routes(app, kit) {
      await addOperations(app, STATUS_OPERATIONS, deps);
      await addOperations(app, [getTrace], deps);
      await addLiveRoutes(app, { ...deps.watch, agents: deps.agents }, kit);
      await addOperations(app, CONFIG_OPERATIONS, { config: deps.config });
      await addOperations(app, SECRET_OPERATIONS, { secrets: deps.secrets });
      const agents = deps.agentAdmin;
      await addOperations(app, SESSION_OPERATIONS, { sessions: deps.sessions, agents });
      const readState = () => deps.readScheduler();
      await addOperations(app, JOB_OPERATIONS, { jobs: deps.jobs, readState });
      await addOperations(app, CALENDAR_OPERATIONS, { calendar: deps.calendar });
      await addOperations(app, AGENT_OPERATIONS, { agents });
      await addOperations(app, PARCEL_OPERATIONS, { parcels: deps.parcels });
      await addOperations(app, CAPABILITY_OPERATIONS, { grants: createToolGrants(deps) });
      await addOperations(app, MAIL_OPERATIONS, { agents, mail: deps.mail });
      await addOperations(app, EFFECT_OPERATIONS, deps);
      await addOperations(app, APPROVAL_OPERATIONS, deps);
      await addOperations(app, INBOX_OPERATIONS, deps);
      await addOperations(app, TOOL_OPERATIONS, deps);
      await addOperations(app, MCP_OPERATIONS, { mcp: deps.mcp });
      await addOperations(app, MODEL_PROVIDER_OPERATIONS, deps);
      await addOperations(app, BRIDGE_OPERATIONS, { openclaw: deps.openclaw });
      await addOperations(app, KILL_SWITCH_OPERATIONS, { killSwitch: deps.killSwitch });
      await addOperations(app, SKILL_OPERATIONS, { skills: deps.skills });
      await addOperations(app, WORKER_OPERATIONS, { workers: deps.workerOversight });
      await addOperations(app, AUDIT_OPERATIONS, { audit: deps.audit, agents: deps.agents });
      await addAuditRoutes(app, deps.audit, kit);
      for (const operation of SIGN_IN_OPERATIONS) {
        await addOperation(app, operation, (request) => toSignInAccess(deps, request));
      }
    },
  };
}

function toSignInAccess({ signIns }: AdminDeps, request: FastifyRequest): SignInAccess {
  const { caller, protocol, headers } = request;
  return { signIns, current: caller?.signInId, origin: `${protocol}://${headers.host}` };
}
