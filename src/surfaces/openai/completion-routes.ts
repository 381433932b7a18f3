import type { Completions } from '../../core/completions/completions.ts';
import {
  answer,
  type Declaration,
  declarationsWith,
  type Wire,
} from '../../operations/operation.ts';
import { checkRequest } from '../http/check-request.ts';
import { describeRoute } from '../http/openapi/route-schema.ts';
import { rememberWire } from '../http/remember-wire.ts';
import type { SurfaceApp, SurfaceKit } from '../http/surface.ts';
import {
  type AnswerCodec,
  type AnswerHeaders,
  type StreamedBody,
  sendAnswer,
} from './answer-route.ts';
import type { ChatBody } from './chat-schema.ts';
import { decodeChat } from './decode-chat.ts';
import { decodeResponses } from './decode-responses.ts';
import { createChatEncoder, DONE, encodeChat } from './encode-chat.ts';
import { encodeResponse } from './encode-response.ts';
import { encodeOpenAiError } from './errors.ts';
import { createResponseEncoder } from './response-events.ts';
import type { ResponsesBody } from './responses-schema.ts';

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
const DURABLE =
  'Each call is a durable run, named in `x-run-id`. A repeated Idempotency-Key answers with the same answer, and ' +
  'with Last-Event-ID a stream goes on where it broke off.';

const COMMON = {
  method: 'POST',
  effect: 'write',
  isRepeatable: 'by_key',
  tags: ['openai'],
  errors: ERRORS,
} as const satisfies Partial<Declaration>;

const defineChat = declarationsWith(() => import('./chat-schema.ts'));
const defineResponses = declarationsWith(() => import('./responses-schema.ts'));

const createChatCompletion = defineChat({
  ...COMMON,
  name: 'chat_completions.create',
  path: '/v1/chat/completions',
  summary: 'Answer a conversation',
  description: `As OpenAI's Chat Completions. ${DURABLE}`,
  wire: ({ chatQuery, chatHeaders, chatBody, chatCompletion, chatChunk }) => ({
    query: chatQuery,
    headers: chatHeaders,
    body: chatBody,
    answers: {
      200: { ...answer('The answer, or chunks of it.', chatCompletion), streamed: chatChunk },
    },
  }),
});

const createResponse = defineResponses({
  ...COMMON,
  name: 'responses.create',
  path: '/v1/responses',
  summary: 'Answer an input',
  description: `As OpenAI's Responses, for text and functions of the caller. ${DURABLE}`,
  wire: ({ responsesQuery, responsesHeaders, responsesBody, response, responseEvent }) => ({
    query: responsesQuery,
    headers: responsesHeaders,
    body: responsesBody,
    answers: {
      200: { ...answer('The response, or its events.', response), streamed: responseEvent },
    },
  }),
});

export interface AnswerDeps {
  readonly completions: Completions;
  readonly kit: SurfaceKit;
}

export function addChatRoute(app: SurfaceApp, deps: AnswerDeps): Promise<void> {
  return addAnswerRoute(app, deps, { operation: createChatCompletion, codec: CHAT });
}

export function addResponsesRoute(app: SurfaceApp, deps: AnswerDeps): Promise<void> {
  return addAnswerRoute(app, deps, { operation: createResponse, codec: RESPONSES });
}

interface Answering<Body> {
  readonly operation: Declaration & { wire(): Promise<Wire> };
  readonly codec: AnswerCodec<Body>;
}

async function addAnswerRoute<Body extends StreamedBody>(
  app: SurfaceApp,
  deps: AnswerDeps,
  { operation, codec }: Answering<Body>,
): Promise<void> {
  const wireOf = rememberWire(app, operation);
  app.route({
    method: operation.method,
    url: '',
    ...(await describeRoute(app, operation)),
    async handler(request, reply) {
      // Checked by the very schemas that these types are made of.
      const { body, headers } = checkRequest(await wireOf(), request) as {
        body: Body;
        headers: AnswerHeaders;
      };
      return sendAnswer(deps, codec, { body, headers, request, reply });
    },
  });
}
