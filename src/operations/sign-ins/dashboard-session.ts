import type { Credential, Session } from '../../core/sign-ins/sign-ins.ts';
import { type AnyOperation, answer, operationsWith } from '../operation.ts';
import { encodeSession } from './sign-in-codec.ts';

/** What is done with the cookie of whoever asks; refusals are thrown. */
export interface CookieAccess {
  enter(credential: Credential): Promise<Session>;
  /** Who is signed in. */
  get(): Promise<Session>;
  leave(): Promise<void>;
  readonly version: string;
}

const define = operationsWith(() => import('./sign-in-shapes.ts'));

const TAGS = ['sign-ins'];
const SESSION = '/dashboard/session';

const openSession = define({
  name: 'sessions.sign_in',
  method: 'POST',
  path: SESSION,
  effect: 'write',
  access: 'public',
  summary: 'Sign in',
  description:
    'With the code of a link, or with the bearer token. The answer sets a cookie that other sites and scripts never ' +
    'see; with it a browser acts as the operator.',
  tags: TAGS,
  errors: [400, 401, 403, 413, 415, 429, 500, 503],
  wire: ({ openSessionBody, session }) => ({
    body: openSessionBody,
    answers: { 200: answer('Signed in.', session) },
  }),
  async run({ enter, version }: CookieAccess, { body: { code, token } }) {
    // One of the two is there: the shape says so.
    return encodeSession(
      await enter(code === undefined ? { token: token ?? '' } : { code }),
      version,
    );
  },
});

export const getSession = define({
  name: 'sessions.current',
  method: 'GET',
  path: SESSION,
  effect: 'read',
  access: 'sign_in',
  summary: 'Who is signed in',
  description: 'The sign-in of the cookie, and what has to be sent with it.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ session }) => ({ answers: { 200: answer('The sign-in.', session) } }),
  run: async ({ get, version }: CookieAccess) => encodeSession(await get(), version),
});

const closeSession = define({
  name: 'sessions.sign_out',
  method: 'DELETE',
  path: SESSION,
  effect: 'write',
  access: 'sign_in',
  summary: 'Sign out',
  description: 'Ends the sign-in of the cookie, and takes the cookie back.',
  tags: TAGS,
  errors: [400, 401, 403, 429, 500, 503],
  wire: ({ nothing }) => ({ answers: { 204: answer('Signed out.', nothing) } }),
  async run({ leave }: CookieAccess) {
    await leave();
    return undefined;
  },
});

export const SESSION_COOKIE_OPERATIONS: readonly AnyOperation<CookieAccess>[] = [
  openSession,
  getSession,
  closeSession,
];
