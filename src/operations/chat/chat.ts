import type { Chat } from '../../core/chat/chat.ts';
import type { ChatRequest } from '../../core/chat/chat-request.ts';
import { defined } from '../../core/defined.ts';
import type { AgentId, SessionId } from '../../core/ids.ts';
import { answer, operationsWith, Reply } from '../operation.ts';
import type { SendMessageBody } from './chat-shapes.ts';

export interface ChatWriting {
  readonly chat: Chat;
}

const define = operationsWith(() => import('./chat-shapes.ts'));

export const sendMessage = define({
  name: 'chat.send',
  method: 'POST',
  path: '/v1/chat/messages',
  effect: 'write',
  isRepeatable: 'by_key',
  summary: 'Send a chat message',
  description:
    'Adds the message to a session and queues a run behind what the session still has to do. Commands (/new, ' +
    '/resume, /chats, /agents, /agent, /help) answer at once instead and are not kept. A repeated Idempotency-Key ' +
    'answers with the first run and its session.',
  tags: ['chat'],
  errors: [400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
  wire: ({ sendMessageHeaders, sendMessageBody, commandAnswered, messageQueued }) => ({
    headers: sendMessageHeaders,
    body: sendMessageBody,
    answers: {
      200: answer('A command, and its answer.', commandAnswered),
      202: answer('The message is stored and its run will be executed.', messageQueued),
    },
  }),
  async run({ chat }: ChatWriting, { headers, body }) {
    const sent = await chat.send(decodeMessage(body, headers['idempotency-key']));
    const { sessionId } = sent;
    if (sent.kind === 'answered') {
      const session = defined({ session_id: sessionId });
      return new Reply(200, { response: sent.response, ...session });
    }
    const { id } = sent.run;
    return new Reply(
      202,
      { id, status: 'queued' as const, session_id: sent.sessionId },
      {
        ...(sent.replayed ? { 'idempotent-replay': 'true' } : {}),
        location: `/v1/runs/${id}`,
      },
    );
  },
});

function decodeMessage(body: SendMessageBody, key: string | undefined): ChatRequest {
  const { agent_id: agentId, session_id: sessionId } = body;
  return {
    place: { channel: body.channel, userId: body.user_id, roomId: body.room_id },
    message: body.message,
    ...defined({
      agentId: agentId as AgentId | undefined,
      sessionId: sessionId as SessionId | undefined,
      projectId: body.project_id,
      idempotencyKey: key,
    }),
  };
}
