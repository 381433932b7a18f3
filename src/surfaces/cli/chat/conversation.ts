import { RuntimeError } from '../../../core/errors.ts';
import {
  type AgentId,
  DEFAULT_AGENT_ID,
  SESSION_ID_PATTERN,
  type SessionId,
} from '../../../core/ids.ts';
import { isTerminal } from '../../../core/runs/run.ts';
import type { Place } from '../../../core/sessions/session.ts';
import { getAgent } from '../../../operations/agents/agents.ts';
import { sendMessage } from '../../../operations/chat/chat.ts';
import type { ChatAnswerShape } from '../../../operations/chat/chat-shapes.ts';
import type { RunSummary } from '../../../operations/runs/run-shapes.ts';
import { listRuns } from '../../../operations/runs/runs.ts';
import type {
  CompactedSessionShape,
  SessionMessageShape,
  SessionShape,
} from '../../../operations/sessions/session-shapes.ts';
import {
  compactSession,
  getSession,
  listMessages,
  listSessions,
} from '../../../operations/sessions/sessions.ts';
import type { ChatAccess } from './open-chat.ts';

export interface ConversationStart {
  /** Undefined: the one of this place that was used last, or a new one when there is none. */
  readonly sessionId: string | undefined;
  readonly isNew: boolean;
  readonly agentId: string | undefined;
}

/** The session that messages go to, and the others there are. Sessions begin with their first message, not before. */
export class Conversation {
  readonly #access: ChatAccess;
  readonly #place: Place;
  #agentId: AgentId | undefined;
  #sessionId: SessionId | undefined;
  #startsNew = false;
  #sending: Promise<unknown> = Promise.resolve();

  constructor(access: ChatAccess, place: Place) {
    this.#access = access;
    this.#place = place;
  }

  get sessionId(): SessionId | undefined {
    return this.#sessionId;
  }

  get agentId(): AgentId | undefined {
    return this.#agentId;
  }

  /** Answers with the session that goes on, if one does. */
  async open({ sessionId, isNew, agentId }: ConversationStart): Promise<SessionShape | undefined> {
    if (agentId !== undefined) this.#agentId = await this.#getAgentId(agentId);
    if (sessionId !== undefined) return this.#adopt(await this.#getOwn(sessionId));
    this.#startsNew = isNew;
    const [latest] = isNew ? [] : await this.list(1, agentId);
    return latest && this.#adopt(latest);
  }

  /** One after the other, in the order they were said. */
  send(message: string): Promise<ChatAnswerShape> {
    const sent = this.#sending.then(() => this.#send(message));
    this.#sending = sent.catch(() => {});
    return sent;
  }

  /** The next message begins another session. */
  startNew(): void {
    this.#sessionId = undefined;
    this.#startsNew = true;
  }

  async resume(id: string): Promise<SessionShape> {
    const session = await this.#getOwn(id);
    this.#adopt(session);
    // Messages that name no session should go there too. They are others' wish, so it may fail.
    await this.#command(`/resume ${session.session_id}`).catch(() => {});
    return session;
  }

  /** Whom messages go to. */
  async findAgent(): Promise<AgentId> {
    if (this.#agentId !== undefined) return this.#agentId;
    const answer = await this.#command('/agent');
    const said = 'response' in answer ? answer.response : '';
    const [, id] = /^Agent here: (\S+)$/.exec(said) ?? [];
    return (id ?? DEFAULT_AGENT_ID) as AgentId;
  }

  /** Answers with the session of that agent that goes on, if there is one. */
  async switchAgent(id: string): Promise<SessionShape | undefined> {
    const found = await this.#getAgentId(id);
    this.#agentId = found;
    this.#sessionId = undefined;
    this.#startsNew = false;
    await this.#command(`/agent ${found}`).catch(() => {});
    const [latest] = await this.list(1, found);
    return latest && this.#adopt(latest);
  }

  /** Those of this place that take messages, last updated first. */
  async list(limit: number, agentId?: string): Promise<readonly SessionShape[]> {
    const { channel, userId: user_id, roomId: room_id } = this.#place;
    const query = { channel, user_id, room_id, agent_id: agentId, limit };
    return (await this.#access.ask(listSessions, { query })).sessions;
  }

  /** The end of what was said, oldest first. */
  async readEnd(limit: number): Promise<readonly SessionMessageShape[]> {
    if (this.#sessionId === undefined) return [];
    const params = { session_id: this.#sessionId };
    return (await this.#access.ask(listMessages, { params, query: { limit } })).messages;
  }

  /** Undefined when nothing was said yet. */
  async compact(): Promise<CompactedSessionShape | undefined> {
    if (this.#sessionId === undefined) return undefined;
    return this.#access.ask(compactSession, {
      params: { session_id: this.#sessionId },
      body: null,
    });
  }

  /** Runs of the session that have not ended, oldest first: somebody left while they were under way. */
  async findOpenRuns(): Promise<readonly RunSummary[]> {
    if (this.#sessionId === undefined) return [];
    const query = { session_id: this.#sessionId, limit: MAX_OPEN };
    const { runs } = await this.#access.ask(listRuns, { query });
    return runs.filter(({ status }) => !isTerminal(status)).toReversed();
  }

  async #send(message: string): Promise<ChatAnswerShape> {
    if (this.#startsNew) {
      const begun = await this.#command('/new');
      this.#sessionId = begun.session_id as SessionId | undefined;
      this.#startsNew = false;
    }
    const answer = await this.#say(message, this.#sessionId);
    this.#sessionId = (answer.session_id as SessionId | undefined) ?? this.#sessionId;
    return answer;
  }

  #command(message: string): Promise<ChatAnswerShape> {
    return this.#say(message, undefined);
  }

  #say(message: string, sessionId: SessionId | undefined): Promise<ChatAnswerShape> {
    const { channel, userId: user_id, roomId: room_id } = this.#place;
    const to = { channel, user_id, room_id, agent_id: this.#agentId, session_id: sessionId };
    return this.#access.ask(sendMessage, { headers: {}, body: { ...to, message } });
  }

  #adopt(session: SessionShape): SessionShape {
    this.#sessionId = session.session_id as SessionId;
    this.#agentId = session.agent_id as AgentId;
    this.#startsNew = false;
    return session;
  }

  async #getAgentId(id: string): Promise<AgentId> {
    const found = await this.#access.ask(getAgent, { params: { agent_id: id } });
    return found.agent_id as AgentId;
  }

  async #getOwn(id: string): Promise<SessionShape> {
    // Checked before it becomes part of a path.
    if (!SESSION_ID_PATTERN.test(id)) throw notAnId('a conversation');
    const session = await this.#access.ask(getSession, { params: { session_id: id } });
    const { channel, userId, roomId } = this.#place;
    const isOurs =
      session.channel === channel && session.user_id === userId && session.room_id === roomId;
    if (!isOurs) {
      const where = `channel ${session.channel}, user ${session.user_id}, room ${session.room_id}`;
      throw new RuntimeError('conflict', `session ${id} takes place elsewhere: ${where}`);
    }
    if (session.closed_at === null) return session;
    throw new RuntimeError('conflict', `session ${id} is closed and takes no more messages`);
  }
}

function notAnId(of: string): RuntimeError {
  return new RuntimeError('invalid_input', `that is not the id of ${of}`);
}

/** Runs of one session execute one after the other; more than these nobody has typed ahead. */
const MAX_OPEN = 50;
