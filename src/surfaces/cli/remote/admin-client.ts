import type { ZodType } from 'zod';
import { RuntimeError } from '../../../core/errors.ts';
import { createHttpClient } from './http-client.ts';
import { sendAgain } from './send-again.ts';
import { createServerLink, type ServerLinkOptions } from './server-link.ts';

/** Requests to the `/api/admin` of a running server. */
export interface AdminClient {
  get<T>(path: string, shape: ZodType<T>): Promise<T>;
  /** For what may be sent again: a second time would do what the first did. */
  put<T>(path: string, shape: ZodType<T>, body?: object): Promise<T>;
  /** Fields that are given change; a second time changes nothing more. */
  patch<T>(path: string, shape: ZodType<T>, body: object): Promise<T>;
  /** A second time would be refused, or do something else: when the answer is lost, the caller has to look. */
  once<T>(path: string, shape: ZodType<T>, body: object): Promise<T>;
  /** Not sent again either: the second time there would be nothing left to remove. */
  remove<T>(path: string, shape: ZodType<T>): Promise<T>;
}

const PREFIX = '/api/admin';

export function createAdminClient(options: ServerLinkOptions): AdminClient {
  const link = createServerLink(options);
  return {
    get: async (path, shape) =>
      read(await sendAgain(link, { method: 'GET', path: PREFIX + path }), shape),

    put: async (path, shape, body = {}) =>
      read(await sendAgain(link, { method: 'POST', path: PREFIX + path, body }), shape),

    patch: async (path, shape, body) =>
      read(await sendAgain(link, { method: 'PATCH', path: PREFIX + path, body }), shape),

    once: async (path, shape, body) =>
      read(
        await createHttpClient(link.address).send({ method: 'POST', path: PREFIX + path, body }),
        shape,
      ),

    remove: async (path, shape) =>
      read(
        await createHttpClient(link.address).send({ method: 'DELETE', path: PREFIX + path }),
        shape,
      ),
  };
}

/** A path whose parts are escaped. */
export function at(texts: TemplateStringsArray, ...parts: readonly string[]): string {
  return String.raw({ raw: texts }, ...parts.map(encodeURIComponent));
}

/** Members that have a value, as a query; with a question mark in front. */
export function toQuery(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return `?${parameters}`;
}

function read<T>(body: unknown, shape: ZodType<T>): T {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new RuntimeError(
    'internal',
    `the server's answer can't be read (${issue?.path.join('.') ?? ''}): is it another version?`,
    { cause: parsed.error },
  );
}
