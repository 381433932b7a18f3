import type { ApprovalReader, Approvals } from '../../core/approvals/approvals.ts';
import { type PreviewDeps, previewApproval } from '../../core/approvals/proposed-change.ts';
import { answerApproval, type StandingAnswers } from '../../core/approvals/standing-answers.ts';
import type { ApprovalId } from '../../core/ids.ts';
import { OPERATOR } from '../../core/principal.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import {
  decodeApprovalQuery,
  encodeApproval,
  encodeApprovalPage,
  encodePreview,
  encodeStandingAnswer,
} from './approval-codec.ts';

/** For those who only look. */
export interface ApprovalReading {
  readonly approvals: ApprovalReader;
  readonly standing: Pick<StandingAnswers, 'describe'>;
}

export interface ApprovalWriting extends ApprovalReading {
  readonly approvals: Pick<Approvals, 'list' | 'get' | 'decide'>;
  readonly standing: StandingAnswers;
}

const define = operationsWith(() => import('./approval-shapes.ts'));

const TAGS = ['approvals'];
const DECIDE_ERRORS = [400, 401, 403, 404, 409, 413, 415, 429, 500, 503] as const;
const DECIDED = 'The approval with its answer; its run goes on.';
const APPROVALS = '/api/admin/approvals';
const STANDING = '/api/admin/standing-answers';
const ONE_APPROVAL = `${APPROVALS}/:approval_id` as const;

export const listApprovals = define({
  name: 'approvals.list',
  method: 'GET',
  path: APPROVALS,
  effect: 'read',
  summary: 'List what runs ask a person for, newest first',
  description: 'Pages by cursor. While a question is pending its run waits.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ listApprovalsQuery, approvalList }) => ({
    query: listApprovalsQuery,
    answers: { 200: answer('One page of approvals.', approvalList) },
  }),
  run: async ({ approvals, standing }: ApprovalReading, { query }) =>
    encodeApprovalPage(await approvals.list(decodeApprovalQuery(query)), standing),
});

export const getApproval = define({
  name: 'approvals.get',
  method: 'GET',
  path: ONE_APPROVAL,
  effect: 'read',
  summary: 'Read an approval',
  description: 'With the arguments that it is bound to.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ approvalParams, approval }) => ({
    params: approvalParams,
    answers: { 200: answer('The approval as it is now.', approval) },
  }),
  run: async ({ approvals, standing }: ApprovalReading, { params }) =>
    encodeApproval(await approvals.get(params.approval_id as ApprovalId), standing),
});

export const approveCall = define({
  name: 'approvals.approve',
  method: 'POST',
  path: `${ONE_APPROVAL}/approve`,
  effect: 'write',
  summary: 'Approve a call',
  description:
    'This one call, with exactly these arguments; with `always` also those that the rule allows which the approval names. 400 when it names none; 409 when it was answered before, has expired, or its run ended.',
  tags: TAGS,
  errors: DECIDE_ERRORS,
  wire: ({ approvalParams, approveBody, approval }) => ({
    params: approvalParams,
    body: approveBody,
    answers: { 200: answer(DECIDED, approval) },
  }),
  async run(deps: ApprovalWriting, { params, body }) {
    const { note = '', always: isAlways = false } = body ?? {};
    const decision = { status: 'approved', by: OPERATOR, note, isAlways } as const;
    const decided = await answerApproval(deps, params.approval_id as ApprovalId, decision);
    return encodeApproval(decided, deps.standing);
  },
});

export const denyCall = define({
  name: 'approvals.deny',
  method: 'POST',
  path: `${ONE_APPROVAL}/deny`,
  effect: 'write',
  summary: 'Deny a call',
  description:
    'The run goes on without it. 409 when it was answered before, has expired, or its run ended.',
  tags: TAGS,
  errors: DECIDE_ERRORS,
  wire: ({ approvalParams, denyBody, approval }) => ({
    params: approvalParams,
    body: denyBody,
    answers: { 200: answer(DECIDED, approval) },
  }),
  async run(deps: ApprovalWriting, { params, body }) {
    const decision = { status: 'denied', by: OPERATOR, note: body?.note ?? '' } as const;
    const decided = await answerApproval(deps, params.approval_id as ApprovalId, decision);
    return encodeApproval(decided, deps.standing);
  },
});

/** In the order of the documentation. */
export const APPROVAL_OPERATIONS: readonly AnyOperation<ApprovalWriting>[] = [
  listApprovals,
  getApproval,
  approveCall,
  denyCall,
];

export const previewCall = define({
  name: 'approvals.preview',
  method: 'GET',
  path: `${ONE_APPROVAL}/preview`,
  effect: 'read',
  summary: 'What a call would change',
  description:
    'The difference that a call of a file tool would make, computed now from the file as it is. Nothing of a question that ' +
    'is settled.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ approvalParams, approvalPreview }) => ({
    params: approvalParams,
    answers: { 200: answer('The difference.', approvalPreview) },
  }),
  async run(deps: PreviewDeps, { params }) {
    const id = params.approval_id as ApprovalId;
    return encodePreview(id, await previewApproval(deps, id));
  },
});

export const listStandingAnswers = define({
  name: 'approvals.standing',
  method: 'GET',
  path: STANDING,
  effect: 'read',
  summary: 'List what is allowed for always',
  description:
    'Narrow rules that allow, and commands, as they are in force: what approvals with `always` wrote, and what was ' +
    'written by hand.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ standingAnswerList }) => ({
    answers: { 200: answer('The answers.', standingAnswerList) },
  }),
  run: async ({ standing }: ApprovalWriting) => ({
    answers: standing.list().map(encodeStandingAnswer),
  }),
});

export const withdrawAnswer = define({
  name: 'approvals.withdraw',
  method: 'DELETE',
  path: `${STANDING}/:answer_id`,
  effect: 'write',
  summary: 'Ask again about what was allowed for always',
  description: 'Takes the rule or the command out of the configuration, in force at once.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 409, 429, 500, 503],
  wire: ({ standingAnswerParams, standingAnswerRemoved }) => ({
    params: standingAnswerParams,
    answers: { 200: answer('It is gone.', standingAnswerRemoved) },
  }),
  async run({ standing }: ApprovalWriting, { params }) {
    await standing.withdraw(params.answer_id);
    return { removed: params.answer_id };
  },
});

/** What only a server is asked. */
export const INBOX_OPERATIONS: readonly AnyOperation<ApprovalWriting & PreviewDeps>[] = [
  previewCall,
  listStandingAnswers,
  withdrawAnswer,
];
