import type { Chat } from '../../core/chat/chat.ts';
import type { AnsweredCommand, ChatRequest, QueuedMessage } from '../../core/chat/chat-request.ts';
import type { AgentId, SessionId } from '../../core/ids.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import type { SurfaceApp } from '../http/surface.ts';
import {
  type CommandAnswered,
  commandAnswered,
  type MessageQueued,
  messageQueued,
  type SendMessageBody,
  sendMessageBody,
} from './chat-schema.ts';
import { createRunHeaders } from './schema.ts';

const sendMessage = {
  summary: 'Send a chat message',
  description:
    'Adds the message to a session and queues a run behind what the session still has to do. Commands (/new, ' +
    '/resume, /chats, /agents, /agent, /help) answer at once instead and are not kept. A repeated Idempotency-Key ' +
    'answers with the first run and its session.',
  tags: ['chat'],
  security: BEARER,
  headers: createRunHeaders,
  querystring: noQuery,
  body: sendMessageBody,
  response: {
    200: answer('A command, and its answer.', commandAnswered),
    202: answer('The message is stored and its run will be executed.', messageQueued),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
  },
};

export function addChatRoutes(app: SurfaceApp, chat: Chat): void {
  app.post('/chat/messages', { schema: sendMessage }, async (request, reply) => {
    const sent = await chat.send(decodeMessage(request.body, request.headers['idempotency-key']));
    if (sent.kind === 'answered') return reply.code(200).send(encodeAnswered(sent));
    if (sent.replayed) reply.header('idempotent-replay', 'true');
    reply.header('location', `/v1/runs/${sent.run.id}`);
    return reply.code(202).send(encodeQueued(sent));
  });
}

function decodeMessage(body: SendMessageBody, key: string | undefined): ChatRequest {
  const { agent_id: agentId, session_id: sessionId } = body;
  return {
    place: { channel: body.channel, userId: body.user_id, roomId: body.room_id },
    message: body.message,
    ...(agentId === undefined ? {} : { agentId: agentId as AgentId }),
    ...(sessionId === undefined ? {} : { sessionId: sessionId as SessionId }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
  };
}

function encodeAnswered({ response, sessionId }: AnsweredCommand): CommandAnswered {
  return { response, ...(sessionId === undefined ? {} : { session_id: sessionId }) };
}

function encodeQueued({ run, sessionId }: QueuedMessage): MessageQueued {
  return { id: run.id, status: 'queued', session_id: sessionId };
}
