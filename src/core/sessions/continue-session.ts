import type { Agents } from '../agents/agents.ts';
import type { Session, SessionMessage } from './session.ts';
import type { AgentPlace } from './session-store.ts';
import type { Sessions } from './sessions.ts';

/** What a caller that keeps its own account of a conversation has on record. */
export interface ToldMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface ContinueSession {
  readonly place: AgentPlace;
  /** Oldest first; empty for a conversation that only begins. */
  readonly told: readonly ToldMessage[];
}

export interface ContinueDeps {
  readonly sessions: Sessions;
  readonly agents: Pick<Agents, 'resolve'>;
}

/** The newest of a long account; more of it would not fit into a context anyway. */
export const MAX_TOLD_MESSAGES = 200;
/** What two messages are compared by, and what a new session gets of one. Well above what a context shows of it. */
export const MAX_TOLD_CHARS = 4_000;

/** More messages than one run with every limit at its default can add. */
const MAX_LOOKED_AT = 1_000;

/**
 * The session whose next exchange follows what was told. The caller's account decides: an exchange that it does not
 * have, because its run was cancelled, failed or was never waited for, is left out of what the agent knows next. Doing
 * it twice gives the same session. Throws `not_found` for an unknown agent.
 */
export async function continueSession(
  { sessions, agents }: ContinueDeps,
  { place: given, told }: ContinueSession,
): Promise<Session> {
  const place = { ...given, agentId: (await agents.resolve(given.agentId)).id };
  const { session } = await sessions.open(place);
  const isNew = session.lastExchange === 0;
  const last = isNew ? undefined : await findLastTold(sessions, session, told);
  if (last !== undefined) {
    return last === session.lastExchange ? session : branchOff(sessions, session, last);
  }
  const begun = isNew ? session : await sessions.start(place);
  const known = told.slice(-MAX_TOLD_MESSAGES).filter(({ content }) => content.trim() !== '');
  if (known.length > 0) {
    const drafts = known.map(({ role, content }) => ({ role, content: beginningOf(content) }));
    await sessions.append(begun.id, drafts);
  }
  return begun;
}

/** A copy up to an exchange, in place of the session. Records of tools go along, so what they exposed is not forgotten. */
async function branchOff(sessions: Sessions, session: Session, last: number): Promise<Session> {
  const branch = await sessions.fork({ from: session.id, throughExchange: last });
  await sessions.resume(branch.id, session);
  return branch;
}

async function findLastTold(
  sessions: Sessions,
  session: Session,
  told: readonly ToldMessage[],
): Promise<number | undefined> {
  const question = told.findLast(({ role }) => role === 'user');
  const answer = told.at(-1)?.role === 'assistant' ? told.at(-1) : undefined;
  if (question === undefined) return undefined;
  const { messages } = await sessions.messages(session.id, { limit: MAX_LOOKED_AT });
  const numbers = new Set(messages.map(({ exchange }) => exchange).toReversed());
  return [...numbers].find((number) => {
    const said = messages.filter(({ exchange }) => exchange === number);
    return isSame(said, 'user', question) && isAnswered(said, answer);
  });
}

function isAnswered(said: readonly SessionMessage[], answer: ToldMessage | undefined): boolean {
  if (answer !== undefined) return isSame(said, 'assistant', answer);
  // A question without an answer was put there by nobody's run: a run that gave none may still be going on.
  return said.at(-1)?.role === 'user' && said.every(({ runId }) => runId === undefined);
}

function isSame(
  said: readonly SessionMessage[],
  role: ToldMessage['role'],
  told: ToldMessage,
): boolean {
  const last = said.findLast((message) => message.role === role);
  return (
    last !== undefined &&
    last.status === undefined &&
    beginningOf(last.content) === beginningOf(told.content)
  );
}

/** In whole characters. */
export function beginningOf(content: string): string {
  return content.length <= MAX_TOLD_CHARS
    ? content
    : Array.from(content.slice(0, 2 * MAX_TOLD_CHARS))
        .slice(0, MAX_TOLD_CHARS)
        .join('');
}
