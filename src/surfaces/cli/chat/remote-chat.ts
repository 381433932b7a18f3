import { randomUUID } from 'node:crypto';
import { RuntimeError } from '../../../core/errors.ts';
import type { RunId, SessionId } from '../../../core/ids.ts';
import { asObject } from '../remote/decode-run.ts';
import { createRemoteAdmin } from '../remote/remote-admin.ts';
import { createRemoteAgents } from '../remote/remote-agents.ts';
import { createRemoteRuns } from '../remote/remote-runs.ts';
import { createRemoteSessions } from '../remote/remote-sessions.ts';
import { readRemoteStatus } from '../remote/remote-status.ts';
import { sendAgain } from '../remote/send-again.ts';
import { createServerLink, type ServerLinkOptions } from '../remote/server-link.ts';
import type { ChatAccess, ChatAnswer, ChatMessage } from './chat-access.ts';

/** A chat with a running server, through its `/v1` and `/api/admin`. */
export function createRemoteChat(options: ServerLinkOptions, idleMs: number): ChatAccess {
  const link = createServerLink(options);
  return {
    via: 'server',
    idleMs,
    runs: createRemoteRuns(options),
    admin: createRemoteAdmin(options),
    sessions: createRemoteSessions(options),
    agents: createRemoteAgents(options),
    async send(message) {
      const path = '/v1/chat/messages';
      // Sent again, it must not be said twice.
      const headers = { 'idempotency-key': randomUUID() };
      const body = encodeMessage(message);
      return decodeAnswer(await sendAgain(link, { method: 'POST', path, body, headers }));
    },
    async describeModel() {
      const { model } = await readRemoteStatus(options);
      return `${model.provider}/${model.name}`;
    },
    close: async () => {},
  };
}

function encodeMessage({ place, message, agentId, sessionId }: ChatMessage): object {
  return {
    channel: place.channel,
    user_id: place.userId,
    room_id: place.roomId,
    message,
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
  };
}

function decodeAnswer(value: unknown): ChatAnswer {
  const wire = asObject(value, 'an answer');
  const { id, response, session_id: given } = wire;
  const sessionId = typeof given === 'string' ? (given as SessionId) : undefined;
  if (typeof response === 'string') return { kind: 'answered', response, sessionId };
  if (typeof id === 'string' && sessionId !== undefined) {
    return { kind: 'queued', runId: id as RunId, sessionId };
  }
  throw new RuntimeError('internal', 'the server did not say what became of the message');
}
