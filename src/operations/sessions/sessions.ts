import { defined } from '../../core/defined.ts';
import type { AgentId } from '../../core/ids.ts';
import { type ContinueDeps, continueSession } from '../../core/sessions/continue-session.ts';
import type { Sessions } from '../../core/sessions/sessions.ts';
import { type AnyOperation, answer, operationsWith, Reply } from '../operation.ts';
import {
  decodeMessageCursor,
  decodeSessionFilter,
  encodeCompacted,
  encodeMessages,
  encodeSeen,
  encodeSession,
  encodeSessionPage,
} from './session-codec.ts';

/** For those who only look. */
export interface SessionReading {
  readonly sessions: Pick<Sessions, 'browse' | 'look' | 'messages'>;
}

export interface SessionWriting extends SessionReading, ContinueDeps {
  readonly sessions: Sessions;
}

const define = operationsWith(() => import('./session-shapes.ts'));

const TAGS = ['sessions'];
const READ_ERRORS = [400, 401, 403, 404, 429, 500, 503] as const;
const CHANGE_ERRORS = [400, 401, 403, 404, 413, 415, 429, 500, 503] as const;
const CREATE_ERRORS = [400, 401, 403, 404, 409, 413, 415, 429, 500, 503] as const;
const SESSIONS = '/api/admin/chat/sessions';
const ONE_SESSION = `${SESSIONS}/:session_id` as const;

export const openSession = define({
  name: 'sessions.open',
  method: 'POST',
  path: SESSIONS,
  effect: 'write',
  isRepeatable: true,
  summary: 'Open the session of a place',
  description:
    'The session whose next exchange follows the given messages: the active one of its place, a branch of it without ' +
    'what came after them, or a new one that begins with them. Doing it again gives the same session.',
  tags: TAGS,
  errors: CREATE_ERRORS,
  wire: ({ openSessionBody, session }) => ({
    body: openSessionBody,
    answers: { 200: answer('The session.', session) },
  }),
  async run(deps: SessionWriting, { body }) {
    const { agent_id: agentId, channel, user_id: userId, room_id: roomId, messages } = body;
    const place = { agentId: agentId as AgentId, channel, userId, roomId };
    return encodeSession(await continueSession(deps, { place, told: messages }));
  },
});

export const listSessions = define({
  name: 'sessions.list',
  method: 'GET',
  path: SESSIONS,
  effect: 'read',
  summary: 'List chat sessions, last updated first',
  description:
    'Of an agent, a user, a room, a channel, or all of them, with what goes on in each. Pages by cursor. With `q` a page ' +
    'may hold fewer than `limit`, or none: only a `next_cursor` of null says that all were looked through.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ listSessionsQuery, sessionList }) => ({
    query: listSessionsQuery,
    answers: { 200: answer('One page of sessions.', sessionList) },
  }),
  run: async ({ sessions }: SessionReading, { query }) =>
    encodeSessionPage(await sessions.browse(decodeSessionFilter(query))),
});

export const getSession = define({
  name: 'sessions.get',
  method: 'GET',
  path: ONE_SESSION,
  effect: 'read',
  summary: 'Read a session',
  description: 'Where it takes place, how far it has got and what goes on in it.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ sessionParams, seenSession }) => ({
    params: sessionParams,
    answers: { 200: answer('The session.', seenSession) },
  }),
  run: async ({ sessions }: SessionReading, { params }) =>
    encodeSeen(await sessions.look(params.session_id)),
});

export const updateSession = define({
  name: 'sessions.update',
  method: 'PATCH',
  path: ONE_SESSION,
  effect: 'write',
  summary: 'Give a session another title',
  description:
    'It stays until somebody gives another, whatever is said. No place in a list changes by it.',
  tags: TAGS,
  errors: CHANGE_ERRORS,
  wire: ({ sessionParams, updateSessionBody, seenSession }) => ({
    params: sessionParams,
    body: updateSessionBody,
    answers: { 200: answer('The session after the change.', seenSession) },
  }),
  run: async ({ sessions }: SessionWriting, { params, body }) =>
    encodeSeen(await sessions.rename(params.session_id, body.title)),
});

export const listMessages = define({
  name: 'sessions.messages',
  method: 'GET',
  path: `${ONE_SESSION}/messages`,
  effect: 'read',
  summary: 'Read the messages of a session',
  description:
    'The newest page, oldest message first; `next_cursor` leads to the page before it. A page is shorter than ' +
    '`limit` when its texts are long.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ sessionParams, listMessagesQuery, messageList }) => ({
    params: sessionParams,
    query: listMessagesQuery,
    answers: { 200: answer('One page of messages.', messageList) },
  }),
  async run({ sessions }: SessionReading, { params, query: { limit, cursor } }) {
    const before = cursor === undefined ? {} : { before: decodeMessageCursor(cursor) };
    return encodeMessages(await sessions.messages(params.session_id, { limit, ...before }));
  },
});

export const closeSession = define({
  name: 'sessions.close',
  method: 'POST',
  path: `${ONE_SESSION}/close`,
  effect: 'write',
  isRepeatable: true,
  summary: 'Close a session',
  description: 'It takes no more messages and stays readable. Closing it again changes nothing.',
  tags: TAGS,
  errors: CHANGE_ERRORS,
  wire: ({ sessionParams, nothing, session }) => ({
    params: sessionParams,
    body: nothing,
    answers: { 200: answer('The session, closed.', session) },
  }),
  run: async ({ sessions }: SessionWriting, { params }) =>
    encodeSession((await sessions.close(params.session_id)).session),
});

export const compactSession = define({
  name: 'sessions.compact',
  method: 'POST',
  path: `${ONE_SESSION}/compact`,
  effect: 'write',
  // Sent again it folds nothing more; only the count would be that of the second time.
  isRepeatable: true,
  summary: 'Compact a session',
  description:
    'What was said so far becomes part of the running summary, which the model gets in its place from the next run on; ' +
    'the messages stay readable. Exchanges that are still going on are left out. Compacting again folds what is new.',
  tags: TAGS,
  errors: CHANGE_ERRORS,
  wire: ({ sessionParams, nothing, compactedSession }) => ({
    params: sessionParams,
    body: nothing,
    answers: { 200: answer('What became of it.', compactedSession) },
  }),
  run: async ({ sessions }: SessionWriting, { params }) =>
    encodeCompacted(await sessions.compact(params.session_id)),
});

export const forkSession = define({
  name: 'sessions.fork',
  method: 'POST',
  path: `${ONE_SESSION}/fork`,
  effect: 'write',
  summary: 'Fork a session',
  description:
    'A new session in the same place with the messages so far, or up to an exchange. It does not become the active ' +
    'one, and exchanges that are still going on are left out.',
  tags: TAGS,
  errors: CREATE_ERRORS,
  wire: ({ sessionParams, forkSessionBody, session }) => ({
    params: sessionParams,
    body: forkSessionBody,
    answers: { 201: answer('The new session.', session) },
  }),
  async run({ sessions }: SessionWriting, { params, body }) {
    const { through_exchange: throughExchange, session_id: id } = body ?? {};
    const forked = await sessions.fork({
      from: params.session_id,
      ...defined({ id, throughExchange }),
    });
    return new Reply(201, encodeSession(forked), { location: `${SESSIONS}/${forked.id}` });
  },
});

/** In the order of the documentation. */
export const SESSION_OPERATIONS: readonly AnyOperation<SessionWriting>[] = [
  openSession,
  listSessions,
  getSession,
  updateSession,
  listMessages,
  closeSession,
  compactSession,
  forkSession,
];
