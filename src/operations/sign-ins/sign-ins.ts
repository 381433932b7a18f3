import { RuntimeError } from '../../core/errors.ts';
import type { SignInId } from '../../core/ids.ts';
import type { SignIns } from '../../core/sign-ins/sign-ins.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeCode, encodeSignIns } from './sign-in-codec.ts';

export interface SignInAccess {
  readonly signIns: Pick<SignIns, 'list' | 'end' | 'endOthers' | 'mintCode'>;
  /** Of whoever asks; undefined for the holder of the token. */
  readonly current: SignInId | undefined;
  /** How whoever asks reaches this server. */
  readonly origin: string;
}

const define = operationsWith(() => import('./sign-in-shapes.ts'));

const TAGS = ['sign-ins'];
const SIGN_INS = '/api/admin/sign-ins';

export const listSignIns = define({
  name: 'sign_ins.list',
  method: 'GET',
  path: SIGN_INS,
  effect: 'read',
  summary: 'List the browsers that are signed in',
  description: 'Those that signed in to the dashboard with the token that the server has now.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ signInList }) => ({ answers: { 200: answer('The sign-ins.', signInList) } }),
  run: async ({ signIns, current }: SignInAccess) => encodeSignIns(await signIns.list(), current),
});

export const endSignIn = define({
  name: 'sign_ins.end',
  method: 'DELETE',
  path: `${SIGN_INS}/:sign_in_id`,
  effect: 'write',
  summary: 'Sign a browser out',
  description: 'At once, its open streams too.',
  tags: TAGS,
  errors: [400, 401, 403, 404, 429, 500, 503],
  wire: ({ signInParams, endedSignIns }) => ({
    params: signInParams,
    answers: { 200: answer('It is signed out.', endedSignIns) },
  }),
  async run({ signIns }: SignInAccess, { params: { sign_in_id: id } }) {
    if (await signIns.end(id as SignInId)) return { ended: 1 };
    throw new RuntimeError('not_found', `there is no sign-in ${id}: it may be over already`, {
      details: { thing: 'sign_in' },
    });
  },
});

export const endOtherSignIns = define({
  name: 'sign_ins.end_others',
  method: 'DELETE',
  path: SIGN_INS,
  effect: 'write',
  isRepeatable: true,
  summary: 'Sign all other browsers out',
  description: 'All but the one that asks; with the bearer token, all.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ endedSignIns }) => ({ answers: { 200: answer('They are signed out.', endedSignIns) } }),
  run: async ({ signIns, current }: SignInAccess) => ({
    ended: await signIns.endOthers(current),
  }),
});

export const createSignInCode = define({
  name: 'sign_ins.create_code',
  method: 'POST',
  path: `${SIGN_INS}/codes`,
  effect: 'write',
  summary: 'Make a link that signs a browser in',
  description:
    'Good for one sign-in within ten minutes, on the server that made it. Only with the bearer token: a browser that ' +
    'is signed in can sign no other one in.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ signInCode }) => ({ answers: { 201: answer('The code and its link.', signInCode) } }),
  async run({ signIns, current, origin }: SignInAccess) {
    if (current === undefined) return encodeCode(signIns.mintCode(), origin);
    throw new RuntimeError(
      'forbidden',
      'a link needs the bearer token: run `claw dashboard` where the server runs',
    );
  },
});

export const SIGN_IN_OPERATIONS: readonly AnyOperation<SignInAccess>[] = [
  listSignIns,
  endSignIn,
  endOtherSignIns,
  createSignInCode,
];
