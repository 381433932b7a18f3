import type { FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import { RuntimeError } from '../../core/errors.ts';
import { noQuery } from '../../operations/fields.ts';
import type { Wire } from '../../operations/operation.ts';
import { describeIssue, type RequestPart } from './answers/describe-issue.ts';

type Checked = { readonly value: unknown } | { readonly error: RuntimeError };

export function checkPart(schema: ZodType, part: RequestPart, data: unknown): Checked {
  const parsed = schema.safeParse(data);
  if (parsed.success) return { value: parsed.data };
  const issue = parsed.error.issues[0];
  const message = issue === undefined ? 'request is not valid' : describeIssue(issue, part, data);
  const details = issue === undefined ? {} : { field: issue.path.join('.') };
  return { error: new RuntimeError('invalid_input', message, { details }) };
}

/** What a request says, as its operation declares it. Throws for the first part that is wrong. */
export function checkRequest(wire: Wire, request: FastifyRequest) {
  const { params, body, query = noQuery, headers } = wire;
  // In the framework's order: whoever made two mistakes hears of the same one on every route.
  return {
    params: check(params, 'params', request.params),
    body: check(body, 'body', request.body),
    query: check(query, 'querystring', request.query),
    headers: check(headers, 'headers', request.headers),
  };
}

function check(schema: ZodType | undefined, part: RequestPart, data: unknown): unknown {
  if (schema === undefined) return data;
  // A body that may be null may be absent.
  const checked = checkPart(schema, part, data ?? null);
  if ('error' in checked) throw checked.error;
  return checked.value ?? data;
}
