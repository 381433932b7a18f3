import { defined } from '../defined.ts';
import type { SessionId } from '../ids.ts';
import { cutText } from './cut-text.ts';
import type { MessagePlace, MessageRole, Session, SessionMessage } from './session.ts';
import type { SessionCursor, SessionFilter, SessionStore } from './session-store.ts';

export interface SessionSearch extends SessionFilter {
  readonly text: string;
}

export interface FoundSession {
  readonly session: Session;
  /** Where it was said; undefined when only the title says it. */
  readonly match: MessageMatch | undefined;
}

export interface MessageMatch extends MessagePlace {
  readonly role: MessageRole;
  /** What stands around it. */
  readonly excerpt: string;
  readonly atMs: number;
}

export interface FoundSessions {
  readonly found: readonly FoundSession[];
  /** Where to look on: also when nothing was found so far. */
  readonly next: SessionCursor | undefined;
}

/** Of one session, its newest ones. */
export const MAX_SEARCHED_MESSAGES = 2_000;

const BATCH_SESSIONS = 50;
/** Looked through in one go: on an embedded database nobody else gets a turn meanwhile. */
const BATCH_MESSAGES = 4_000;
/** Of one search; whoever wants more comes back with the cursor. */
const MAX_LOOKED_MESSAGES = 40_000;
const MAX_LOOKED_SESSIONS = 2_000;

/**
 * Looks through sessions in the order of lists until enough are found or enough were looked at: no index of words is
 * kept, which every message would pay for, and yet no search reads without end.
 */
export async function searchSessions(
  store: Pick<SessionStore, 'list' | 'findSaying'>,
  { text, ...filter }: SessionSearch,
): Promise<FoundSessions> {
  const found: FoundSession[] = [];
  let before = filter.before;
  let sessionsLeft = MAX_LOOKED_SESSIONS;
  let messagesLeft = MAX_LOOKED_MESSAGES;
  while (sessionsLeft > 0 && messagesLeft > 0) {
    const page = await store.list({ ...filter, limit: BATCH_SESSIONS, ...defined({ before }) });
    const batch = takeBatch(page.sessions);
    const saying = await store.findSaying(idsOf(batch), text);
    for (const session of batch) {
      const one = findMatch(session, saying.get(session.id) ?? [], text);
      if (one) found.push(one);
      before = { updatedAtMs: session.updatedAtMs, id: session.id };
      messagesLeft -= costOf(session);
      sessionsLeft -= 1;
      if (found.length === filter.limit) break;
    }
    const isAll = !page.next && before?.id === page.sessions.at(-1)?.id;
    if (isAll || page.sessions.length === 0) return { found, next: undefined };
    if (found.length === filter.limit) break;
  }
  return { found, next: before };
}

function idsOf(sessions: readonly Session[]): SessionId[] {
  return sessions.map(({ id }) => id);
}

function costOf({ messageCount }: Session): number {
  return Math.min(messageCount, MAX_SEARCHED_MESSAGES);
}

/** At least one, so that a search always gets on. */
function takeBatch(sessions: readonly Session[]): readonly Session[] {
  let messages = 0;
  const over = sessions.findIndex((session, at) => {
    messages += costOf(session);
    return at > 0 && messages > BATCH_MESSAGES;
  });
  return over === -1 ? sessions : sessions.slice(0, over);
}

/** Stores compare stored texts, in which a line break is two letters: what they found is looked at again. */
function findMatch(
  session: Session,
  messages: readonly SessionMessage[],
  text: string,
): FoundSession | undefined {
  for (const { exchange, position, role, content, atMs } of messages) {
    const at = indexOfText(content, text);
    if (at === -1) continue;
    const excerpt = cutAround(content, at, text.length);
    return { session, match: { exchange, position, role, excerpt, atMs } };
  }
  return indexOfText(session.title, text) === -1 ? undefined : { session, match: undefined };
}

function indexOfText(content: string, text: string): number {
  return content.toLowerCase().indexOf(text.toLowerCase());
}

const EXCERPT_BEFORE = 40;
const MAX_EXCERPT_CHARS = 160;

function cutAround(content: string, at: number, length: number): string {
  const from = Math.max(0, at - EXCERPT_BEFORE);
  const part = content.slice(from, at + length + MAX_EXCERPT_CHARS).toWellFormed();
  const line = part.replaceAll(/\s+/g, ' ');
  return `${from > 0 ? '…' : ''}${cutText(line, MAX_EXCERPT_CHARS)}`;
}
