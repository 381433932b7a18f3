import type { SessionId } from '../../../core/ids.ts';
import type { ContinueSession } from '../../../core/sessions/continue-session.ts';
import { session } from '../../http/session-shapes.ts';
import { createAdminClient } from '../remote/admin-client.ts';
import type { ServerLinkOptions } from '../remote/server-link.ts';

export async function openRemoteSession(
  link: ServerLinkOptions,
  { place, told }: ContinueSession,
): Promise<SessionId> {
  const opened = await createAdminClient(link).put('/chat/sessions', session, {
    agent_id: place.agentId,
    channel: place.channel,
    user_id: place.userId,
    room_id: place.roomId,
    messages: told,
  });
  return opened.session_id as SessionId;
}
