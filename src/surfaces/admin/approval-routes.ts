import type { Approvals } from '../../core/approvals/approvals.ts';
import type { ApprovalId } from '../../core/ids.ts';
import { encodeApproval, encodeApprovalPage } from '../http/admin-codec.ts';
import { decodeApprovalQuery } from '../http/admin-queries.ts';
import { approval, approvalList } from '../http/admin-shapes.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { OPERATOR } from './operator.ts';
import { approvalParams, decideBody, listApprovalsQuery } from './schema.ts';

const TAGS = ['approvals'];

const listApprovals = {
  summary: 'List what runs ask a person for, newest first',
  description: 'Pages by cursor. While a question is pending its run waits.',
  tags: TAGS,
  security: BEARER,
  querystring: listApprovalsQuery,
  response: {
    200: answer('One page of approvals.', approvalList),
    ...errorAnswers(400, 401, 403, 429, 500, 503),
  },
};

const getApproval = {
  summary: 'Read an approval',
  description: 'With the arguments that it is bound to.',
  tags: TAGS,
  security: BEARER,
  params: approvalParams,
  querystring: noQuery,
  response: {
    200: answer('The approval as it is now.', approval),
    ...errorAnswers(400, 401, 403, 404, 429, 500, 503),
  },
};

const decide = {
  tags: TAGS,
  security: BEARER,
  params: approvalParams,
  querystring: noQuery,
  body: decideBody,
  response: {
    200: answer('The approval with its answer; its run goes on.', approval),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
  },
};

const DECISIONS = {
  approve: {
    status: 'approved',
    schema: {
      ...decide,
      summary: 'Approve a call',
      description:
        'This one call, with exactly these arguments. 409 when it was answered before, has expired, or its run ended.',
    },
  },
  deny: {
    status: 'denied',
    schema: {
      ...decide,
      summary: 'Deny a call',
      description:
        'The run goes on without it. 409 when it was answered before, has expired, or its run ended.',
    },
  },
} as const;

type Access = Pick<Approvals, 'list' | 'get' | 'decide'>;

export function addApprovalRoutes(app: SurfaceApp, approvals: Access): void {
  app.get('/approvals', { schema: listApprovals }, async (request, reply) => {
    const page = await approvals.list(decodeApprovalQuery(request.query));
    return reply.send(encodeApprovalPage(page));
  });

  app.get('/approvals/:approval_id', { schema: getApproval }, async (request, reply) =>
    reply.send(encodeApproval(await approvals.get(request.params.approval_id as ApprovalId))),
  );

  for (const verb of ['approve', 'deny'] as const) {
    const { status, schema } = DECISIONS[verb];
    app.post(`/approvals/:approval_id/${verb}`, { schema }, async (request, reply) => {
      const decision = { status, by: OPERATOR, note: request.body?.note ?? '' };
      const id = request.params.approval_id as ApprovalId;
      return reply.send(encodeApproval(await approvals.decide(id, decision)));
    });
  }
}
