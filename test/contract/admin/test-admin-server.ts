import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { createApprovals } from '../../../src/core/approvals/approvals.ts';
import { createIds } from '../../../src/core/create-ids.ts';
import { createEffects } from '../../../src/core/effects/effects.ts';
import { createSeal } from '../../../src/core/events/seal.ts';
import type { AgentId, ApprovalId, RequestId, RunId } from '../../../src/core/ids.ts';
import { silentLogger } from '../../../src/core/log.ts';
import { type Capabilities, createCapabilities } from '../../../src/core/policy/capabilities.ts';
import { OPERATOR } from '../../../src/core/principal.ts';
import { createReliability } from '../../../src/core/reliability/create-reliability.ts';
import { resolveSettings } from '../../../src/core/reliability/settings.ts';
import { createShadowTally, type ShadowTally } from '../../../src/core/reliability/shadow-tally.ts';
import type { LeaseRef } from '../../../src/core/runs/run-store.ts';
import type { SignIns } from '../../../src/core/sign-ins/sign-ins.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { createToolRegistry } from '../../../src/core/tools/registry.ts';
import { defineTool } from '../../../src/core/tools/tool.ts';
import { createToolAdmin } from '../../../src/core/tools/tool-admin.ts';
import { createToolGrants } from '../../../src/core/tools/tool-grants.ts';
import { openMcpClients } from '../../../src/mcp/open-mcp-clients.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open-sqlite-storage.ts';
import {
  type AdminDeps,
  createAdminSurface,
} from '../../../src/surfaces/admin/create-admin-surface.ts';
import type { AdminServices } from '../../../src/surfaces/cli/program/context.ts';
import { createDashboardSurface } from '../../../src/surfaces/dashboard/create-dashboard-surface.ts';
import { encodeDottedError } from '../../../src/surfaces/http/answers/dotted-errors.ts';
import { createBearerAuth } from '../../../src/surfaces/http/bearer-auth.ts';
import { createHttpServer } from '../../../src/surfaces/http/create-http-server.ts';
import { DEFAULT_HTTP_CONFIG, type HttpConfig } from '../../../src/surfaces/http/http-config.ts';
import { createRateLimiter } from '../../../src/surfaces/http/rate-limiter.ts';
import { createSessionAuth } from '../../../src/surfaces/http/session-auth.ts';
import type { Surface } from '../../../src/surfaces/http/surface.ts';
import { putFreshDatabase } from '../../support/fresh-state.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { createHttpClient, type HttpClient, TOKEN } from '../v1/http-client.ts';
import { openAdminParts, plainRedactor } from './test-admin-parts.ts';

export const AGENT = 'agent_default' as AgentId;
export const START = '2026-02-15T00:00:00.000Z';

export interface AdminServer extends HttpClient {
  readonly url: string;
  readonly port: number;
  readonly surface: Surface;
  readonly dashboard: Surface;
  /** Where the pages of the dashboard would be. */
  readonly pagesFolder: string;
  readonly signIns: SignIns;
  /** The state root. */
  readonly root: string;
  readonly services: AdminServices;
  readonly storage: Storage;
  readonly capabilities: Capabilities;
  readonly tally: ShadowTally;
  readonly clock: ManualClock;
}

const TOOLS = [
  defineTool({
    name: 'mail.send',
    aliases: ['MailTool'],
    description: 'Sends a mail.',
    effect: 'write',
    dedupe: true,
    sendsKey: true,
    traits: ['outward_effect'],
    source: 'test/mail.ts',
    input: z.strictObject({ to: z.string() }),
    execute: async () => ({}),
  }),
  defineTool({
    name: 'time.now',
    description: 'Tells the time.',
    effect: 'read',
    source: 'test/time.ts',
    input: z.strictObject({}),
    execute: async () => ({}),
  }),
];

interface Listening {
  readonly clock: ManualClock;
  readonly root: string;
  readonly config: Partial<HttpConfig>;
}

/** The surface and the dashboard, listening, over the real core and a real database. `mcpServers` as in the configuration. */
export async function openAdminServer(
  mcpServers: Readonly<Record<string, unknown>> = {},
  config: Partial<HttpConfig> = {},
): Promise<AdminServer> {
  const clock = new ManualClock(Date.parse(START));
  const { root, storage } = await openStorage(clock);
  const registry = createToolRegistry(TOOLS);
  const { breakers: breakerStore, idempotency: idempotencyStore } = storage;
  const reliability = createReliability({ clock, breakerStore, idempotencyStore });
  const tally = createShadowTally({
    clock,
    logger: silentLogger,
    store: { read: async () => undefined, write: async () => {} },
  });
  const capabilities = createCapabilities(storage.capabilities, () => ['time.*']);
  const mcp = openMcpClients(mcpServers, {
    pins: storage.toolPins,
    registry,
    clock,
    logger: silentLogger,
    version: '0.0.0-test',
    environment: { PATH: '/usr/bin:/bin' },
    random: () => 0,
  });
  onTestFinished(() => mcp.close());
  await mcp.tried();
  const effects = createEffects(storage.effects);
  const approvals = createApprovals({
    store: storage.approvals,
    seal,
    clock,
    logger: silentLogger,
  });
  const toolAdmin = createToolAdmin({
    registry,
    reliability,
    callerKeys: reliability.idempotency,
    breakerStore,
    mode: () => 'read_only',
    settingsOf: () => resolveSettings({ retry: { maxRetries: 1 } }),
    shadow: tally,
  });
  const { agents } = storage;
  const grants = createToolGrants({ capabilities, registry, agents });
  const parts = await openAdminParts({ root, storage, clock, toolAdmin });
  const listening = await listen(
    { clock, root, config },
    {
      ...parts,
      effects,
      approvals,
      capabilities,
      toolAdmin,
      registry,
      agents,
      mcp,
    },
  );
  const services = { effects, approvals, standing: parts.standing, toolAdmin, grants };
  return {
    ...createHttpClient(listening.port),
    ...listening,
    ...{ root, services, storage, capabilities, tally, clock, signIns: parts.signIns },
  };
}

async function listen({ clock, root, config }: Listening, deps: Omit<AdminDeps, 'authenticate'>) {
  const failures = createRateLimiter({
    max: 20,
    windowMs: 60_000,
    maxKeys: 100,
    nowMs: clock.nowMs,
  });
  const { signIns } = deps;
  const bearer = createBearerAuth({ token: TOKEN, failures });
  const authenticate = createSessionAuth({ signIns, failures, bearer });
  const surface = createAdminSurface({ ...deps, authenticate });
  const pagesFolder = join(root, 'pages');
  const dashboard = createDashboardSurface({
    ...{ signIns, failures, clock, version: '0.0.0-test', pagesFolder },
  });
  const http = createHttpServer({
    config: { ...DEFAULT_HTTP_CONFIG, ...config, port: 0 },
    logger: silentLogger,
    clock,
    ids: createIds(clock.nowMs),
    encodeError: encodeDottedError,
    info: { title: 'Pincer', version: '0.0.0-test', description: 'A test server.' },
    surfaces: [surface, dashboard],
  });
  onTestFinished(() => http.close(1000));
  return { ...(await http.listen()), surface, dashboard, pagesFolder };
}

async function openStorage(clock: ManualClock): Promise<{ root: string; storage: Storage }> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'pincer.db');
  await putFreshDatabase(file);
  const storage = await openSqliteStorage({
    file,
    clock,
    writer: 'inline',
    logger: silentLogger,
  });
  onTestFinished(() => storage.close());
  await storage.agents.ensure({
    id: AGENT,
    name: 'Default',
    role: 'assistant',
    model: undefined,
    instructions: '',
  });
  return { root: root.path, storage };
}

export const seal = createSeal({ ids: createIds(() => Date.now()), redactor: plainRedactor });

/** A run that somebody holds. */
export async function startRun(
  { storage }: AdminServer,
  id: string,
  owner = OPERATOR,
): Promise<LeaseRef> {
  const created = await storage.runs.create(
    { id: id as RunId, agentId: AGENT, source: 'test', message: 'hello', owner },
    [seal({ type: 'run.created', payload: {} })],
    {
      maxQueued: 100,
      lease: {
        owner: 'test',
        leaseMs: 60_000,
        started: seal({ type: 'run.started', payload: {} }),
      },
    },
  );
  if (created.outcome !== 'created' || !created.lease) throw new Error(`run ${id} is not ours`);
  return { runId: id as RunId, leaseId: created.lease.id };
}

/** A run with one effect that was sent and whose outcome nobody heard. */
export async function leaveUnknown(server: AdminServer, runId: string, id: string): Promise<void> {
  const lease = await startRun(server, runId);
  const requestId = id as RequestId;
  const facts = { tool: 'mail.send', callId: 'call_1', key: 'key-1', inputDigest: 'd1' };
  await server.storage.runs.append(
    lease,
    [],
    [
      { step: 'intend', id: requestId, ...facts },
      { step: 'send', id: requestId },
      {
        step: 'settle',
        id: requestId,
        status: 'unknown',
        error: { code: 'outcome_unknown', message: 'nobody heard' },
      },
    ],
  );
}

/** A run that waits for a person. */
export function park(server: AdminServer, runId: string, id: string): Promise<void> {
  return parkCall(server, { runId, id, tool: 'mail.send', input: '{"to":"ana"}' });
}

interface ParkedCall {
  readonly runId: string;
  readonly id: string;
  readonly tool: string;
  readonly input: string;
  readonly owner?: string;
}

export async function parkCall(server: AdminServer, call: ParkedCall): Promise<void> {
  const { runId, id, tool, input, owner } = call;
  const lease = await startRun(server, runId, owner);
  const asked = seal({ type: 'policy.decision', payload: { decision: 'ask' } });
  await server.storage.runs.park(lease, [asked], {
    id: id as ApprovalId,
    requestId: `req_of_${runId}` as RequestId,
    tool,
    callId: 'call_1',
    input,
    inputDigest: 'd1',
    reason: 'a rule asks',
    ttlMs: 60_000,
  });
}
