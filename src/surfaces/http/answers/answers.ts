import type { ZodType } from 'zod';
import { errorEnvelope } from '../../../operations/fields.ts';
import type { ErrorStatus } from '../../../operations/operation.ts';

const ERROR_WORDS = {
  400: 'The request is not valid; the message names the field.',
  401: 'The token is missing or wrong.',
  403: 'Policy, or the Host or Origin header, does not allow it.',
  404: 'There is no such thing.',
  409: 'It is settled or exists already, or what is stored stands in the way.',
  410: 'Events after the cursor are no longer kept.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'Its content is refused; the message says why.',
  429: 'Too many requests, failed authentications, streams or queued runs; see Retry-After.',
  500: 'A fault of the server; its log holds the request id.',
  502: 'A service that is needed for it failed.',
  503: 'The server or its storage can not serve now.',
  504: 'It takes too long, and goes on without an answer.',
} as const satisfies Record<ErrorStatus, string>;

/** The error answers of a route with dotted codes, for its documentation. */
export function errorAnswers(...statuses: readonly ErrorStatus[]) {
  return errorAnswersOf(errorEnvelope, statuses);
}

/** The same in the envelope of another surface. */
export function errorAnswersOf<T extends ZodType>(envelope: T, statuses: readonly ErrorStatus[]) {
  return Object.fromEntries(
    statuses.map((status) => [status, answer(ERROR_WORDS[status], envelope)]),
  ) as Record<ErrorStatus, ReturnType<typeof answer<T>>>;
}

export function answer<T extends ZodType>(description: string, schema: T) {
  return { description, content: { 'application/json': { schema } } };
}

/** For the documentation, by who may ask. */
export const SECURITY = {
  public: [],
  sign_in: [{ session: [] }],
  operator: [{ bearer: [] }, { session: [] }],
  page: [{ bearer: [] }, { basic: [] }, { session: [] }],
} as const satisfies Record<string, readonly Readonly<Record<string, readonly string[]>>[]>;
