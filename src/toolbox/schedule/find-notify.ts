import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { SessionId } from '../../core/ids.ts';
import { maySee, visibleTo } from '../../core/principal.ts';
import type { Notify, NotifyChannel } from '../../core/schedule/job.ts';
import { sessionNotFound } from '../../core/sessions/session-not-found.ts';
import type { SessionStore } from '../../core/sessions/session-store.ts';
import type { ToolContext } from '../../core/tools/tool.ts';

export type NotifySessions = Pick<SessionStore, 'find' | 'list'>;

/** The three ways to say who is told: `notify` itself, a session, or the place of one. */
export interface NotifyArguments {
  readonly notify?: { readonly channel: NotifyChannel; readonly target: string } | undefined;
  readonly session_id?: string | undefined;
  readonly channel?: string | undefined;
  readonly user_id?: string | undefined;
  readonly room_id?: string | undefined;
}

/** An agent speaks in its own sessions with the one it acts for only: another's does not exist for it. */
export async function findNotify(
  sessions: NotifySessions,
  given: NotifyArguments,
  { agentId, principal }: Pick<ToolContext, 'agentId' | 'principal'>,
): Promise<Notify> {
  const { notify, session_id: sessionId } = given;
  if (notify && notify.channel !== 'session') return notify;
  const wanted = notify?.target ?? sessionId;
  if (wanted !== undefined) {
    const session = await sessions.find(wanted as SessionId);
    const isOwn = session?.agentId === agentId && maySee(principal, session.owner);
    if (!isOwn) throw sessionNotFound(wanted);
    return { channel: 'session', target: wanted };
  }
  const { channel, user_id: userId, room_id: roomId } = given;
  if (channel === undefined && userId === undefined && roomId === undefined) {
    return { channel: 'none', target: '' };
  }
  const page = await sessions.list({
    agentId,
    ...visibleTo(principal),
    includeClosed: false,
    limit: 1,
    ...defined({ channel, userId, roomId }),
  });
  const newest = page.sessions[0];
  if (newest) return { channel: 'session', target: newest.id };
  throw new RuntimeError('not_found', 'there is no open session in this place', {
    details: { thing: 'session' },
  });
}
