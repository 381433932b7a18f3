import { createHash } from 'node:crypto';
import { type AgentDirectory, resolveAgent, toAgentId } from '../agents/resolve-agent.ts';
import { RuntimeError } from '../errors.ts';
import type { Seal } from '../events/seal.ts';
import { faultPoint } from '../fault-point.ts';
import { type AgentId, DEFAULT_AGENT_ID, type Ids } from '../ids.ts';
import { canonicalJson } from '../json.ts';
import { toOwner } from '../principal.ts';
import type { RunStore } from '../runs/run-store.ts';
import { queueFull, type SubmitReceipt } from '../runs/submit-run.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { assertFreeNames } from './assert-free-names.ts';
import { encodeClientTools } from './client-tool.ts';
import type { CreateThreadRun } from './threads.ts';

export interface CreateThreadRunDeps {
  readonly runs: Pick<RunStore, 'create' | 'find'>;
  readonly agents: AgentDirectory;
  readonly sessions: Pick<SessionStore, 'open'>;
  readonly registry: Pick<ToolRegistry, 'find'>;
  readonly ids: Ids;
  readonly seal: Seal;
  readonly maxQueued: number;
  /** Throws while no new work is taken. */
  readonly assertMaySubmit?: (request: { readonly agentId: AgentId }) => Promise<void>;
}

const SOURCE = 'internal';
const CHANNEL = 'thread';

/** A session can be closed between opening it and writing to it; more often in a row, somebody is at work there. */
const MAX_OPENINGS = 3;

/** Makes a run that waits for its first frame. All runs of one thread and agent share a session. */
export async function createThreadRun(
  deps: CreateThreadRunDeps,
  given: CreateThreadRun,
): Promise<SubmitReceipt> {
  const named = given.agentId ?? DEFAULT_AGENT_ID;
  // Asking again is no new wish: what has changed since does not matter to the run that is there.
  const known = given.runId && (await deps.runs.find(given.runId));
  const agentId = known
    ? await toAgentId(deps.agents, named)
    : (await resolveAgent(deps.agents, named)).id;
  if (!known) {
    await deps.assertMaySubmit?.({ agentId });
    assertFreeNames(deps.registry, given.clientTools, 'client_tools');
  }
  const request = { ...given, agentId };
  const owner = toOwner(request.principal);
  const place = { channel: CHANNEL, userId: owner, roomId: request.threadId, owner };
  for (let opening = 1; ; opening += 1) {
    const { session } = await deps.sessions.open({ ...place, agentId }, deps.ids.session());
    const result = await createIn(deps, { request, session });
    switch (result.outcome) {
      case 'created':
        return { run: result.run, replayed: false };
      case 'replayed':
        return { run: result.run, replayed: true };
      case 'session_closed':
        if (opening < MAX_OPENINGS) continue;
        throw new RuntimeError('conflict', `thread ${request.threadId} is being closed`);
      case 'queue_full':
        throw queueFull(deps.maxQueued);
      case 'conflict':
        throw new RuntimeError('conflict', `run ${request.runId} exists with other fields`);
      default:
        throw new RuntimeError('internal', `a run of a thread was refused: ${result.outcome}`);
    }
  }
}

interface Creation {
  readonly request: CreateThreadRun;
  readonly session: Session;
}

async function createIn(deps: CreateThreadRunDeps, { request, session }: Creation) {
  const { threadId, autoFinish, clientTools } = request;
  const { id: sessionId, agentId } = session;
  const owner = toOwner(request.principal);
  const thread = { id: threadId, staysOpen: !autoFinish };
  const idempotency =
    request.runId === undefined
      ? undefined
      : { key: `thread-run:${request.runId}`, digest: digestOf(request) };
  const created = deps.seal({
    type: 'run.created',
    actor: 'user',
    payload: {
      source: SOURCE,
      principal: owner,
      thread_id: threadId,
      session_id: sessionId,
      auto_finish: autoFinish,
      ...(idempotency && { idempotency: { id: idempotency.key, digest: idempotency.digest } }),
      ...(clientTools.length === 0 ? {} : { client_tools: encodeClientTools(clientTools) }),
    },
  });
  faultPoint('submit.before_create');
  const result = await deps.runs.create(
    {
      id: request.runId ?? deps.ids.run(),
      agentId,
      owner,
      sessionId,
      source: SOURCE,
      message: '',
      thread,
    },
    [created],
    {
      maxQueued: deps.maxQueued,
      ...(idempotency && { idempotency }),
    },
  );
  faultPoint('submit.after_create');
  return result;
}

function digestOf({ threadId, principal, agentId, autoFinish, clientTools }: CreateThreadRun) {
  const agent = agentId ?? DEFAULT_AGENT_ID;
  const tools = encodeClientTools(clientTools);
  const content = { threadId, owner: toOwner(principal), agent, autoFinish, tools };
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
