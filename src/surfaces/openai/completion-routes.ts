import type { Completions } from '../../core/completions/completions.ts';
import { answer, BEARER, errorAnswersOf } from '../http/answers.ts';
import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';
import { type AnswerCodec, sendAnswer } from './answer-route.ts';
import { type ChatBody, chatBody, chatChunk, chatCompletion } from './chat-schema.ts';
import { decodeChat } from './decode-chat.ts';
import { decodeResponses } from './decode-responses.ts';
import { createChatEncoder, DONE, encodeChat } from './encode-chat.ts';
import { encodeResponse } from './encode-response.ts';
import { encodeOpenAiError } from './errors.ts';
import { createResponseEncoder } from './response-events.ts';
import { type ResponsesBody, response, responseEvent, responsesBody } from './responses-schema.ts';
import { completionHeaders } from './schema.ts';

const CHAT: AnswerCodec<ChatBody> = {
  decode: decodeChat,
  encode: encodeChat,
  createEncoder: createChatEncoder,
  encodeFault: (error) => ({ data: JSON.stringify(encodeOpenAiError(error).body) }),
  last: DONE,
};

const RESPONSES: AnswerCodec<ResponsesBody> = {
  decode: decodeResponses,
  encode: encodeResponse,
  createEncoder: createResponseEncoder,
  encodeFault(error) {
    const { error: fault } = encodeOpenAiError(error).body as { error: object };
    return { event: 'error', data: JSON.stringify({ type: 'error', ...fault }) };
  },
  last: undefined,
};

const ERRORS = [400, 401, 403, 404, 409, 410, 413, 415, 429, 500, 502, 503, 504] as const;
const TAGS = ['openai'];
const DURABLE =
  'Each call is a durable run, named in `x-run-id`. A repeated Idempotency-Key answers with the same answer, and ' +
  'with Last-Event-ID a stream goes on where it broke off.';

export function addChatRoute(app: SurfaceApp, kit: SurfaceKit, completions: Completions): void {
  app.post(
    '',
    {
      schema: {
        summary: 'Answer a conversation',
        description: `As OpenAI's Chat Completions. ${DURABLE}`,
        tags: TAGS,
        security: BEARER,
        headers: completionHeaders,
        body: chatBody,
        response: {
          200: toAnswer('The answer, or chunks of it.', chatCompletion, chatChunk),
          ...errorAnswersOf(app.errorEnvelope, ERRORS),
        },
      },
    },
    (request, reply) => sendAnswer({ completions, kit }, CHAT, { request, reply }),
  );
}

export function addResponsesRoute(
  app: SurfaceApp,
  kit: SurfaceKit,
  completions: Completions,
): void {
  app.post(
    '',
    {
      schema: {
        summary: 'Answer an input',
        description: `As OpenAI's Responses, for text and functions of the caller. ${DURABLE}`,
        tags: TAGS,
        security: BEARER,
        headers: completionHeaders,
        body: responsesBody,
        response: {
          200: toAnswer('The response, or its events.', response, responseEvent),
          ...errorAnswersOf(app.errorEnvelope, ERRORS),
        },
      },
    },
    (request, reply) => sendAnswer({ completions, kit }, RESPONSES, { request, reply }),
  );
}

function toAnswer(
  description: string,
  whole: Parameters<typeof answer>[1],
  piece: Parameters<typeof answer>[1],
) {
  const { content } = answer(description, whole);
  return { description, content: { ...content, 'text/event-stream': { schema: piece } } };
}
