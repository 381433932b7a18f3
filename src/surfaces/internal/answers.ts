import { z } from 'zod';
import { answer } from '../http/answers/answers.ts';

export const errorEnvelope = z
  .object({
    error: z.object({
      code: z.string().meta({ examples: ['invalid_request'] }),
      message: z.string().meta({ examples: ['thread_id is required'] }),
      details: z
        .array(z.unknown())
        .optional()
        .meta({ description: 'One entry for each thing that is wrong with the request.' }),
    }),
  })
  .meta({ id: 'InternalError', description: 'Every answer that is not 2xx.' });

const ERROR_WORDS = {
  400: 'The request is not valid; the message names the field.',
  401: 'The signature, or the principal that the route needs, is missing or not valid.',
  403: 'The signature is for something else, or the thing is somebody else’s.',
  404: 'There is no such thing.',
  409: 'It exists already with other content, or its state stands in the way.',
  410: 'The cursor is older than the retained events.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The content is refused; `details` lists why.',
  429: 'Too many requests, failed authentications or streams; see Retry-After.',
  500: 'A fault of the server; its log holds the request id.',
  503: 'The server or its storage can not serve now.',
} as const;

type ErrorStatus = keyof typeof ERROR_WORDS;

/** The error answers of a route, for its documentation. */
export function errorAnswers(...statuses: readonly ErrorStatus[]) {
  return Object.fromEntries(
    statuses.map((status) => [status, answer(ERROR_WORDS[status], errorEnvelope)]),
  ) as Record<ErrorStatus, ReturnType<typeof answer<typeof errorEnvelope>>>;
}

/** What any signed route can answer with; POST routes add `BODY_ERRORS`. */
export const SIGNED_ERRORS = [400, 401, 403, 429, 500, 503] as const;
export const BODY_ERRORS = [413, 415] as const;

export const SIGNED: readonly Record<string, string[]>[] = [{ signature: [] }];
