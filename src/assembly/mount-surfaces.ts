import { join } from 'node:path';
import type { Runtime } from '../app.ts';
import { leaveAuditMark } from '../config/state-root/upkeep-marks.ts';
import { systemClock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import { DEFAULT_AGENT_ID } from '../core/ids.ts';
import { listBridgeWarnings } from '../core/openclaw/bridge.ts';
import type { Readiness } from '../core/readiness.ts';
import { createAudit } from '../core/records/audit.ts';
import { createCalendar } from '../core/schedule/calendar.ts';
import type { ReadChecklist } from '../core/security/checklist.ts';
import type { SignIns } from '../core/sign-ins/sign-ins.ts';
import { createReadStatus } from '../core/status.ts';
import type { Tool } from '../core/tools/tool.ts';
import { findPackageRoot } from '../platform/package-root.ts';
import { createPreviewCall } from '../preview-call.ts';
import { createAuditReader } from '../storage/files/create-audit-reader.ts';
import { type AdminDeps, createAdminSurface } from '../surfaces/admin/create-admin-surface.ts';
import { createApiSurface } from '../surfaces/api/create-api-surface.ts';
import { createHealthSurface } from '../surfaces/api/create-health-surface.ts';
import { createDashboardSurface } from '../surfaces/dashboard/create-dashboard-surface.ts';
import { createBearerAuth } from '../surfaces/http/bearer-auth.ts';
import { createRateLimiter } from '../surfaces/http/rate-limiter.ts';
import { createSessionAuth } from '../surfaces/http/session-auth.ts';
import type { Surface } from '../surfaces/http/surface.ts';
import { createMcpServer, type McpServer } from '../surfaces/mcp/create-mcp-server.ts';
import { createMcpSurface } from '../surfaces/mcp/create-mcp-surface.ts';
import { createOpenAiSurfaces } from '../surfaces/openai/create-openai-surfaces.ts';
import { createV1Surfaces } from '../surfaces/v1/create-v1-surfaces.ts';
import { VERSION } from '../version.ts';
import { mountInternal } from './mount-internal.ts';
import { createPackBundle } from './pack-bundle.ts';

/** Clients whose failed authentications are remembered at once. */
const MAX_FAILURE_KEYS = 10_000;

/** What belongs to the server and not to its runtime. */
export interface ServerParts {
  readonly metrics: { render(): Promise<string> };
  /** Throws `storage_unavailable` when the store can't serve. */
  readonly ping: () => Promise<void>;
  readonly readiness: Readiness;
  readonly readChecklist: ReadChecklist;
  readonly signIns: SignIns;
}

/** Every contract that a server speaks over HTTP, laid over one runtime. */
export function mountSurfaces(runtime: Runtime, parts: ServerParts): readonly Surface[] {
  const { metrics, ping, readiness, readChecklist, signIns } = parts;
  const { config } = runtime.live.current();
  const token = getToken(runtime);
  const failures = createRateLimiter({
    get max() {
      return runtime.live.current().config.api.auth_failures_per_minute;
    },
    windowMs: 60_000,
    maxKeys: MAX_FAILURE_KEYS,
    nowMs: () => systemClock.nowMs(),
  });
  const bearer = createBearerAuth({ token, failures });
  const authenticate = createSessionAuth({ signIns, failures, bearer });
  return [
    ...createV1Surfaces({
      runs: runtime.runs,
      sessions: runtime.sessions,
      chat: runtime.chat,
      replays: runtime.replays,
      forks: runtime.forks,
      packBundle: createPackBundle(runtime.storage),
      ping,
      metrics,
      metricsPublic: config.server.metrics_public,
      authenticate,
      authenticateBrowser: createSessionAuth({
        ...{ signIns, failures },
        bearer: createBearerAuth({ token, failures, acceptsBasic: true }),
      }),
    }),
    ...createOpenAiSurfaces({
      completions: runtime.completions,
      embedTexts: runtime.embedTexts,
      authenticate,
      maxBodyBytes: config.server.max_body_bytes,
    }),
    createAdminSurface({ ...toAdminDeps(runtime), signIns, authenticate }),
    createApiSurface({
      ...runtime,
      ...runtime.observability,
      readChecklist,
      clock: systemClock,
      authenticate,
    }),
    createDashboardSurface({
      ...{ signIns, failures, clock: systemClock, version: VERSION },
      pagesFolder: join(findPackageRoot(), 'dist', 'dashboard'),
    }),
    createHealthSurface({ readiness }),
    // Programs have the token: a cookie opens neither of the two.
    createMcpSurface({ server: openMcpServer(runtime), authenticate: bearer }),
    mountInternal(runtime, { failures, ping }),
  ];
}

/** Of this server, as it was at its start. */
export function getToken({ live }: Pick<Runtime, 'live'>): string {
  const { bearerToken } = live.current().credentials;
  if (bearerToken !== undefined) return bearerToken;
  throw new RuntimeError(
    'config_invalid',
    'there is no bearer token: run claw init, or set API_BEARER_TOKEN',
  );
}

/** What operators see and change: nearly all there is. */
function toAdminDeps(runtime: Runtime): Omit<AdminDeps, 'authenticate' | 'signIns'> {
  const { storage, live, readScheduler } = runtime;
  const clock = systemClock;
  const { root } = live.current().paths;
  return {
    ...runtime,
    agentAdmin: runtime.agents,
    agents: storage.agents,
    config: runtime.configEditor,
    mail: storage.mail,
    previewCall: createPreviewCall(live),
    watch: { ...storage, clock },
    calendar: createCalendar({ store: storage.jobs, clock }),
    audit: createAudit({
      ...storage,
      clock,
      files: createAuditReader({ root }),
      noteVerified: (mark) => leaveAuditMark(live.current().paths, mark),
    }),
    readStatus: createReadStatus({
      ...storage,
      models: runtime.models,
      toolAdmin: runtime.toolAdmin,
      clock,
      version: VERSION,
      startedAtMs: clock.nowMs(),
      scheduler: readScheduler,
      limits() {
        const { engine } = live.current().config;
        return { maxQueued: engine.max_queued_runs, maxConcurrent: engine.max_concurrent_runs };
      },
      warnings: () => [
        ...runtime.warnings,
        ...describePending(live.listPending()),
        ...listBridgeWarnings(runtime.openclaw.status()),
      ],
    }),
  };
}

function describePending(fields: readonly string[]): readonly string[] {
  return fields.length === 0 ? [] : [`changed and waiting for a restart: ${fields.join(', ')}`];
}

/** The runtime for MCP clients: runs, agents, skills, and what the default agent may use of our own tools. */
export function openMcpServer(runtime: Runtime): McpServer {
  return createMcpServer({
    ...runtime,
    skills: runtime.skills.shelf,
    clock: systemClock,
    agentId: DEFAULT_AGENT_ID,
    // Passing other servers' tools on would hide from a client whom it talks to.
    isExposed: (tool: Tool) =>
      !tool.name.startsWith('mcp__') && runtime.isGranted(DEFAULT_AGENT_ID, tool),
    version: VERSION,
  });
}
