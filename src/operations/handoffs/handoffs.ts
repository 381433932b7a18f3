import { defined } from '../../core/defined.ts';
import type { HandoffReader, Handoffs } from '../../core/handoffs/handoffs.ts';
import { OPERATOR } from '../../core/principal.ts';
import { type AnyOperation, answer, operationsWith, Reply } from '../operation.ts';
import { decodeHandoffCursor, encodeHandoff, encodeHandoffPage } from './handoff-codec.ts';

/** For those who only look. */
export interface HandoffReading {
  readonly handoffs: HandoffReader;
}

export interface HandoffWriting extends HandoffReading {
  readonly handoffs: Handoffs;
}

const define = operationsWith(() => import('./handoff-shapes.ts'));

const TAGS = ['agents'];
const READ_ERRORS = [400, 401, 403, 404, 429, 500, 503] as const;
const HANDOFFS = '/api/agents/handoffs';

export const giveHandoff = define({
  name: 'handoffs.give',
  method: 'POST',
  path: '/api/agents/handoff',
  effect: 'write',
  isRepeatable: 'by_key',
  summary: 'Hand work over to another agent',
  description:
    'Durable before the answer. The content becomes a shared memory and a run of the receiver, which waits while that ' +
    'agent sleeps; its outcome comes to the inbox of the sender. A repeated key answers with the first hand-off.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 413, 415, 429, 500, 503],
  wire: ({ giveHeaders, giveBody, given }) => ({
    headers: giveHeaders,
    body: giveBody,
    answers: { 200: answer('It is stored and will be carried out.', given) },
  }),
  async run({ handoffs }: HandoffWriting, { headers, body }) {
    const name = body.key ?? headers['idempotency-key'];
    const { handoff, replayed } = await handoffs.give({
      owner: OPERATOR,
      from: body.from_agent_id,
      to: body.to_agent_id,
      projectId: body.project_id,
      content: body.content,
      ...defined({ key: name === undefined ? undefined : `api:${name}` }),
    });
    return new Reply(
      200,
      { status: 'transferred' as const, handoff_id: handoff.id },
      replayed ? { 'idempotent-replay': 'true' } : {},
    );
  },
});

export const listHandoffs = define({
  name: 'handoffs.list',
  method: 'GET',
  path: HANDOFFS,
  effect: 'read',
  summary: 'List hand-offs',
  description: 'Newest first. Pages by cursor.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ listHandoffsQuery, handoffList }) => ({
    query: listHandoffsQuery,
    answers: { 200: answer('One page of hand-offs.', handoffList) },
  }),
  async run({ handoffs }: HandoffReading, { query }) {
    const { project_id: projectId, agent_id: agent, state, limit, cursor } = query;
    const page = await handoffs.list({
      limit,
      ...defined({ projectId, agent, state }),
      ...(cursor === undefined ? {} : { before: decodeHandoffCursor(cursor) }),
    });
    return encodeHandoffPage(page);
  },
});

export const getHandoff = define({
  name: 'handoffs.get',
  method: 'GET',
  path: `${HANDOFFS}/:handoff_id`,
  effect: 'read',
  summary: 'Read a hand-off',
  description: 'How far it is, and what came of it.',
  tags: TAGS,
  errors: READ_ERRORS,
  wire: ({ handoffParams, handoff }) => ({
    params: handoffParams,
    answers: { 200: answer('The hand-off.', handoff) },
  }),
  run: async ({ handoffs }: HandoffReading, { params }) =>
    encodeHandoff(await handoffs.get(params.handoff_id)),
});

/** In the order of the documentation. */
export const HANDOFF_OPERATIONS: readonly AnyOperation<HandoffWriting>[] = [
  giveHandoff,
  listHandoffs,
  getHandoff,
];
