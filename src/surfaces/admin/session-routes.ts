import { z } from 'zod';
import type { Agents } from '../../core/agents/agents.ts';
import { PLACE_NAME_PATTERN } from '../../core/chat/place-name.ts';
import type { AgentId } from '../../core/ids.ts';
import { SESSION_ID_PATTERN } from '../../core/ids.ts';
import {
  continueSession,
  MAX_TOLD_CHARS,
  MAX_TOLD_MESSAGES,
} from '../../core/sessions/continue-session.ts';
import type { SessionFilter } from '../../core/sessions/session-store.ts';
import type { Sessions } from '../../core/sessions/sessions.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { agentId, integerParam, noQuery, pageCursor, storable } from '../http/fields.ts';
import {
  decodeMessageCursor,
  decodeSessionCursor,
  encodeCompacted,
  encodeMessages,
  encodeSession,
  encodeSessionPage,
} from '../http/session-codec.ts';
import { compactedSession, messageList, session, sessionList } from '../http/session-shapes.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { noBody } from './schema.ts';

const MAX_CURSOR_CHARS = 256;
const MAX_PLACE_CHARS = 256;
const MAX_SESSIONS = 500;
const DEFAULT_SESSIONS = 50;
const MAX_MESSAGES = 1_000;
const DEFAULT_MESSAGES = 200;

const sessionId = z
  .string()
  .regex(SESSION_ID_PATTERN, { error: 'must be 1 to 128 letters, digits, _ or -' })
  .meta({ examples: ['session_01jv8z4q0k6c'] });
const sessionParams = z.strictObject({ session_id: sessionId });
const cursor = pageCursor(MAX_CURSOR_CHARS).optional();
const COMMON = { tags: ['sessions'], security: BEARER };
const READ_ERRORS = errorAnswers(400, 401, 403, 404, 429, 500, 503);

const listSessions = {
  ...COMMON,
  summary: 'List chat sessions, last updated first',
  description: 'Of an agent, a user, a room, a channel, or all of them. Pages by cursor.',
  querystring: z.strictObject({
    agent_id: agentId.optional(),
    user_id: storable(MAX_PLACE_CHARS).optional(),
    room_id: storable(MAX_PLACE_CHARS).optional(),
    channel: storable(MAX_PLACE_CHARS).optional(),
    include_closed: z.enum(['true', 'false']).optional(),
    limit: integerParam(1, MAX_SESSIONS).prefault(DEFAULT_SESSIONS),
    cursor,
  }),
  response: {
    200: answer('One page of sessions.', sessionList),
    ...errorAnswers(400, 401, 403, 429, 500, 503),
  },
};

const placeName = z.string().regex(PLACE_NAME_PATTERN, {
  error: 'must be 1 to 128 characters, without control characters, /, \\ or ..',
});

const openSession = {
  ...COMMON,
  summary: 'Open the session of a place',
  description:
    'The session whose next exchange follows the given messages: the active one of its place, a branch of it without ' +
    'what came after them, or a new one that begins with them. Doing it again gives the same session.',
  querystring: noQuery,
  body: z.strictObject({
    agent_id: agentId,
    channel: placeName,
    user_id: placeName,
    room_id: placeName,
    messages: z
      .array(
        z.strictObject({
          role: z.enum(['user', 'assistant']),
          // Counted in characters, of which some are two units long.
          content: storable(2 * MAX_TOLD_CHARS),
        }),
      )
      .max(MAX_TOLD_MESSAGES)
      .default([])
      .meta({ description: 'What was said so far, oldest first.' }),
  }),
  response: {
    200: answer('The session.', session),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
  },
};

const getSession = {
  ...COMMON,
  summary: 'Read a session',
  description: 'Where it takes place and how far it has got.',
  params: sessionParams,
  querystring: noQuery,
  response: { 200: answer('The session.', session), ...READ_ERRORS },
};

const listMessages = {
  ...COMMON,
  summary: 'Read the messages of a session',
  description:
    'The newest page, oldest message first; `next_cursor` leads to the page before it. A page is shorter than ' +
    '`limit` when its texts are long.',
  params: sessionParams,
  querystring: z.strictObject({
    limit: integerParam(1, MAX_MESSAGES).prefault(DEFAULT_MESSAGES),
    cursor,
  }),
  response: { 200: answer('One page of messages.', messageList), ...READ_ERRORS },
};

const closeSession = {
  ...COMMON,
  summary: 'Close a session',
  description: 'It takes no more messages and stays readable. Closing it again changes nothing.',
  params: sessionParams,
  querystring: noQuery,
  body: noBody,
  response: {
    200: answer('The session, closed.', session),
    ...errorAnswers(400, 401, 403, 404, 413, 415, 429, 500, 503),
  },
};

const compactSession = {
  ...COMMON,
  summary: 'Compact a session',
  description:
    'What was said so far becomes part of the running summary, which the model gets in its place from the next run on; ' +
    'the messages stay readable. Exchanges that are still going on are left out. Compacting again folds what is new.',
  params: sessionParams,
  querystring: noQuery,
  body: noBody,
  response: {
    200: answer('What became of it.', compactedSession),
    ...errorAnswers(400, 401, 403, 404, 413, 415, 429, 500, 503),
  },
};

const forkSession = {
  ...COMMON,
  summary: 'Fork a session',
  description:
    'A new session in the same place with the messages so far, or up to an exchange. It does not become the active ' +
    'one, and exchanges that are still going on are left out.',
  params: sessionParams,
  querystring: noQuery,
  body: z
    .strictObject({
      through_exchange: z
        .int({ error: 'must be an integer' })
        .min(0)
        .optional()
        .meta({ description: 'The last exchange to take along. Absent: all.' }),
      session_id: sessionId
        .optional()
        .meta({ description: 'The id of the new one; made when absent.' }),
    })
    .nullable(),
  response: {
    201: answer('The new session.', session),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
  },
};

export interface SessionRouteDeps {
  readonly sessions: Sessions;
  readonly agents: Pick<Agents, 'get'>;
}

export function addSessionRoutes(app: SurfaceApp, deps: SessionRouteDeps): void {
  const { sessions } = deps;

  app.post('/chat/sessions', { schema: openSession }, async (request, reply) => {
    const { agent_id: ofAgent, user_id: userId, room_id: roomId, channel, messages } = request.body;
    const place = { agentId: ofAgent as AgentId, channel, userId, roomId };
    return reply.send(encodeSession(await continueSession(deps, { place, told: messages })));
  });

  app.get('/chat/sessions', { schema: listSessions }, async (request, reply) =>
    reply.send(encodeSessionPage(await sessions.list(decodeFilter(request.query)))),
  );

  app.get('/chat/sessions/:session_id', { schema: getSession }, async (request, reply) =>
    reply.send(encodeSession(await sessions.get(request.params.session_id))),
  );

  app.get(
    '/chat/sessions/:session_id/messages',
    { schema: listMessages },
    async (request, reply) => {
      const { limit, cursor: place } = request.query;
      const before = place === undefined ? {} : { before: decodeMessageCursor(place) };
      const page = await sessions.messages(request.params.session_id, { limit, ...before });
      return reply.send(encodeMessages(page));
    },
  );

  app.post('/chat/sessions/:session_id/close', { schema: closeSession }, async (request, reply) => {
    const closed = await sessions.close(request.params.session_id);
    return reply.send(encodeSession(closed.session));
  });

  app.post(
    '/chat/sessions/:session_id/compact',
    { schema: compactSession },
    async (request, reply) =>
      reply.send(encodeCompacted(await sessions.compact(request.params.session_id))),
  );

  app.post('/chat/sessions/:session_id/fork', { schema: forkSession }, async (request, reply) => {
    const { through_exchange: throughExchange, session_id: id } = request.body ?? {};
    const forked = await sessions.fork({
      from: request.params.session_id,
      ...(id === undefined ? {} : { id }),
      ...(throughExchange === undefined ? {} : { throughExchange }),
    });
    reply.header('location', `/api/admin/chat/sessions/${forked.id}`);
    return reply.code(201).send(encodeSession(forked));
  });
}

function decodeFilter(query: z.infer<typeof listSessions.querystring>): SessionFilter {
  const { agent_id: ofAgent, user_id: userId, room_id: roomId, channel } = query;
  return {
    includeClosed: query.include_closed === 'true',
    limit: query.limit,
    ...(ofAgent === undefined ? {} : { agentId: ofAgent as AgentId }),
    ...(userId === undefined ? {} : { userId }),
    ...(roomId === undefined ? {} : { roomId }),
    ...(channel === undefined ? {} : { channel }),
    ...(query.cursor === undefined ? {} : { before: decodeSessionCursor(query.cursor) }),
  };
}
