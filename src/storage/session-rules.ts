import { RuntimeError } from '../core/errors.ts';
import type { SessionId } from '../core/ids.ts';
import { maySee, OPERATOR } from '../core/principal.ts';
import type { MessagePlace, Session } from '../core/sessions/session.ts';
import type { AgentPlace } from '../core/sessions/session-store.ts';

/** A page is read in one go. */
export const MAX_PAGE_SESSIONS = 500;
/** One more than a caller may ask for: it tells whether there is a page before. */
export const MAX_PAGE_MESSAGES = 1_001;
/** How far back the newest message of a person or the agent is looked for, behind those of tools. */
export const MAX_PREVIEWED_MESSAGES = 200;

/** A session as it is right after it was created. Its `updatedAtMs` moves with every exchange, message, and its end. */
export function newSession(
  { agentId, channel, userId, roomId, owner = OPERATOR }: AgentPlace,
  id: SessionId,
  nowMs: number,
): Session {
  return {
    id,
    agentId,
    owner,
    channel,
    userId,
    roomId,
    title: '',
    messageCount: 0,
    lastExchange: 0,
    forkedFrom: undefined,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    closedAtMs: undefined,
  };
}

/** Whether whoever opens a place goes on in the session that is active there. */
export function isOpenTo({ owner }: Session, place: AgentPlace): boolean {
  return maySee(place.owner ?? OPERATOR, owner);
}

/** What a fork takes over: whole exchanges, under their own numbers. */
export interface CopiedMessages {
  readonly messageCount: number;
  /** The highest exchange among them; 0 when there are none. */
  readonly lastExchange: number;
}

/** A fork as its row reads once the messages are copied. A fork of a closed session is open. */
export function forkSession(
  from: Session,
  id: SessionId,
  at: { readonly copied: CopiedMessages; readonly nowMs: number },
): Session {
  return {
    ...newSession(from, id, at.nowMs),
    title: at.copied.messageCount === 0 ? '' : from.title,
    ...at.copied,
    forkedFrom: from.id,
  };
}

/** Messages that no run made have no events: within their exchange they are numbered from 0. */
export function placeOf(exchange: number, index: number): MessagePlace {
  return { exchange, position: index };
}

export function sessionExists(id: SessionId): RuntimeError {
  return new RuntimeError('conflict', `session ${id} exists already`);
}
