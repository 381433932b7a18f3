import { createHash } from 'node:crypto';
import { type AgentDirectory, resolveAgent, toAgentId } from '../agents/resolve-agent.ts';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { SessionId } from '../ids.ts';
import { canonicalJson } from '../json.ts';
import type { Runs } from '../runs/runs.ts';
import type { SubmitReceipt } from '../runs/submit-run.ts';
import { isSamePlace, type Session } from '../sessions/session.ts';
import { sessionNotFound } from '../sessions/session-not-found.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { ChatRequest, QueuedMessage } from './chat-request.ts';
import { type AgentChoice, chooseAgent } from './choose-agent.ts';

export interface MessageDeps extends AgentChoice {
  readonly runs: Pick<Runs, 'submit'>;
  readonly sessions: Pick<Sessions, 'get' | 'open' | 'findActiveAgent'>;
  readonly agents: AgentDirectory;
  /** Where runs say that they come from; `chat` when absent. */
  readonly source?: string;
}

const SOURCE = 'chat';

/** A session can be closed between opening it and writing to it; more often in a row, somebody is at work there. */
const MAX_OPENINGS = 3;

/** Makes the message a run of its session, behind what the session still has to do. */
export async function submitMessage(
  deps: MessageDeps,
  request: ChatRequest,
): Promise<QueuedMessage> {
  const receipt =
    request.sessionId === undefined
      ? await submitToActive(deps, request)
      : await submitTo(deps, request, await getSession(deps, request, request.sessionId));
  const { run, replayed } = receipt;
  if (run.sessionId === undefined) {
    throw new RuntimeError('internal', `run ${run.id} of a chat has no session`);
  }
  return { kind: 'queued', run, sessionId: run.sessionId, replayed };
}

async function submitToActive(deps: MessageDeps, request: ChatRequest): Promise<SubmitReceipt> {
  const { id: agentId } = await resolveAgent(deps.agents, await chooseAgent(deps, request));
  for (let opening = 1; ; opening += 1) {
    const { session } = await deps.sessions.open({ ...request.place, agentId });
    try {
      return await submitTo(deps, request, session);
    } catch (thrown) {
      if (opening >= MAX_OPENINGS || !isClosed(thrown, session.id)) throw thrown;
    }
  }
}

/** Only one that this place and agent own: for everybody else it does not exist. */
async function getSession(
  deps: MessageDeps,
  { place, agentId }: ChatRequest,
  id: SessionId,
): Promise<Session> {
  const session = await deps.sessions.get(id);
  const named = agentId === undefined ? session.agentId : await toAgentId(deps.agents, agentId);
  const isOurs = isSamePlace(session, place) && named === session.agentId;
  if (!isOurs) throw sessionNotFound(id);
  return session;
}

function submitTo(
  deps: MessageDeps,
  request: ChatRequest,
  session: Session,
): Promise<SubmitReceipt> {
  const { idempotencyKey, projectId } = request;
  return deps.runs.submit({
    agentId: session.agentId,
    message: request.message,
    source: deps.source ?? SOURCE,
    sessionId: session.id,
    ...defined({ projectId }),
    ...(idempotencyKey === undefined
      ? {}
      : { idempotencyKey, idempotencyDigest: request.digest ?? digestOf(request) }),
  });
}

/** Of what the caller sent: the active session and agent may be others by the time it is sent again. */
function digestOf({ place, agentId, sessionId, projectId, message }: ChatRequest): string {
  const { channel, userId, roomId } = place;
  const sent = { source: SOURCE, channel, userId, roomId, agentId, sessionId, projectId, message };
  const body = canonicalJson(sent);
  return createHash('sha256').update(body).digest('hex');
}

function isClosed(thrown: unknown, id: SessionId): boolean {
  return (
    thrown instanceof RuntimeError &&
    thrown.code === 'conflict' &&
    thrown.details?.['session_id'] === id
  );
}
