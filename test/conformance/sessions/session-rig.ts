import { createIds } from '../../../src/core/create-ids.ts';
import type { EventDraft, SealedDraft } from '../../../src/core/events/event.ts';
import type { SessionId } from '../../../src/core/ids.ts';
import type { Run } from '../../../src/core/runs/run.ts';
import type { CreateOptions, CreateResult, LeaseRef } from '../../../src/core/runs/run-store.ts';
import type { MessageDraft, SealedMessage, Session } from '../../../src/core/sessions/session.ts';
import type { AgentPlace } from '../../../src/core/sessions/session-store.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { AGENT, COMPLETED, draft, MANY, newRun } from '../harness.ts';

const ids = createIds(() => Date.now());

export const newSessionId = (): SessionId => ids.session();

export const PLACE: AgentPlace = {
  agentId: AGENT,
  channel: 'http',
  userId: 'ann',
  roomId: 'kitchen',
};

export function message(
  role: SealedMessage['role'],
  content: string,
  overrides: Partial<SealedMessage> = {},
): SealedMessage {
  return {
    role,
    content,
    toolName: undefined,
    toolCallId: undefined,
    status: undefined,
    ...overrides,
  };
}

/** An event that adds a message to the session of its run. */
export function saying(
  type: EventDraft['type'],
  role: MessageDraft['role'],
  content: string,
): SealedDraft {
  return { ...draft(type), message: message(role, content) };
}

export const newSession = (storage: Storage, place: Partial<AgentPlace> = {}): Promise<Session> =>
  storage.sessions.create({ ...PLACE, ...place }, newSessionId());

/** Sends a user's message to a session. */
export function say(
  { runs }: Storage,
  { id: sessionId, agentId }: Pick<Session, 'id' | 'agentId'>,
  said: { readonly text: string; readonly options?: Partial<CreateOptions> },
): Promise<CreateResult> {
  return runs.create(
    newRun({ sessionId, agentId, message: said.text }),
    [saying('run.created', 'user', said.text)],
    { maxQueued: MANY, ...said.options },
  );
}

/** A queued run of a session; its first event carries the user's message. */
export async function sayNew(
  storage: Storage,
  session: Pick<Session, 'id' | 'agentId'>,
  text: string,
): Promise<Run> {
  const result = await say(storage, session, { text });
  if (result.outcome !== 'created') throw new Error(`expected a new run, got ${result.outcome}`);
  return result.run;
}

/** Ends a run with the assistant's answer. */
export async function answer({ runs }: Storage, lease: LeaseRef, text: string): Promise<void> {
  const result = await runs.finish(lease, [saying('run.completed', 'assistant', text)], COMPLETED);
  if (result.outcome !== 'appended') throw new Error(`run ${lease.runId} refused to finish`);
}

/** What was said, as `role text`, oldest first. */
export async function transcript({ sessions }: Storage, id: SessionId): Promise<string[]> {
  const messages = await sessions.readMessages(id, { limit: 100 });
  return messages.map(({ role, content }) => `${role} ${content}`);
}
