import type { Approvals } from '../../core/approvals/approvals.ts';
import { answerApproval, type StandingAnswers } from '../../core/approvals/standing-answers.ts';
import type { ApprovalId } from '../../core/ids.ts';
import { encodeApproval, encodeApprovalPage } from '../http/admin-codec.ts';
import { decodeApprovalQuery } from '../http/admin-queries.ts';
import { approval, approvalList } from '../http/admin-shapes.ts';
import { answer, BEARER, errorAnswers } from '../http/answers.ts';
import { noQuery } from '../http/fields.ts';
import type { SurfaceApp } from '../http/surface.ts';
import { OPERATOR } from './operator.ts';
import { approvalParams, approveBody, denyBody, listApprovalsQuery } from './schema.ts';

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
  response: {
    200: answer('The approval with its answer; its run goes on.', approval),
    ...errorAnswers(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
  },
};

const approve = {
  ...decide,
  body: approveBody,
  summary: 'Approve a call',
  description:
    'This one call, with exactly these arguments; with `always` also those that the rule allows which the approval names. 400 when it names none; 409 when it was answered before, has expired, or its run ended.',
};

const deny = {
  ...decide,
  body: denyBody,
  summary: 'Deny a call',
  description:
    'The run goes on without it. 409 when it was answered before, has expired, or its run ended.',
};

export interface ApprovalDeps {
  readonly approvals: Pick<Approvals, 'list' | 'get' | 'decide'>;
  readonly standing: StandingAnswers;
}

export function addApprovalRoutes(app: SurfaceApp, deps: ApprovalDeps): void {
  const { approvals, standing } = deps;
  app.get('/approvals', { schema: listApprovals }, async (request, reply) => {
    const page = await approvals.list(decodeApprovalQuery(request.query));
    return reply.send(encodeApprovalPage(page, standing));
  });

  app.get('/approvals/:approval_id', { schema: getApproval }, async (request, reply) => {
    const found = await approvals.get(request.params.approval_id as ApprovalId);
    return reply.send(encodeApproval(found, standing));
  });

  app.post('/approvals/:approval_id/approve', { schema: approve }, async (request, reply) => {
    const { note = '', always: isAlways = false } = request.body ?? {};
    const id = request.params.approval_id as ApprovalId;
    const decision = { status: 'approved', by: OPERATOR, note, isAlways } as const;
    return reply.send(encodeApproval(await answerApproval(deps, id, decision), standing));
  });

  app.post('/approvals/:approval_id/deny', { schema: deny }, async (request, reply) => {
    const id = request.params.approval_id as ApprovalId;
    const decision = { status: 'denied', by: OPERATOR, note: request.body?.note ?? '' } as const;
    return reply.send(encodeApproval(await answerApproval(deps, id, decision), standing));
  });
}
