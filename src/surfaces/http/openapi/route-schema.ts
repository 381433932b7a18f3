import type { FastifySchema } from 'fastify';
import { defined } from '../../../core/defined.ts';
import { noQuery } from '../../../operations/fields.ts';
import type { Answer, Declaration, Wire } from '../../../operations/operation.ts';
import { errorAnswersOf, SECURITY } from '../answers/answers.ts';
import type { SurfaceApp } from '../surface.ts';

interface Described extends Declaration {
  wire(): Promise<Wire>;
}

/** What is in a document of routes. A server that answers requests checks them itself: see `rememberWire`. */
export async function describeRoute(
  app: SurfaceApp,
  operation: Described,
): Promise<{ readonly schema?: FastifySchema }> {
  if (!app.isDocument) return {};
  return { schema: toRouteSchema(app, operation, await operation.wire()) };
}

function toRouteSchema(
  { errorEnvelope }: SurfaceApp,
  { summary, description, tags, errors, files = {}, access }: Declaration,
  wire: Wire,
): FastifySchema {
  const { params, query = noQuery, headers, body, answers } = wire;
  const documented = Object.entries(answers).map(([status, one]) => [
    status,
    toContent(one, files.answer),
  ]);
  return {
    summary,
    description,
    tags: [...tags],
    security: SECURITY[access ?? 'operator'],
    ...defined({ params }),
    querystring: query,
    ...defined({ headers, body }),
    ...(files.body === undefined ? {} : { consumes: [files.body] }),
    response: { ...Object.fromEntries(documented), ...errorAnswersOf(errorEnvelope, errors) },
  };
}

function toContent({ description, kind, schema, streamed }: Answer, fileType: string | undefined) {
  const types = fileType === undefined ? MEDIA_TYPES[kind] : [fileType];
  const other = streamed === undefined ? {} : { 'text/event-stream': { schema: streamed } };
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  return { description, content: { ...content, ...other } };
}

const MEDIA_TYPES = {
  json: ['application/json'],
  stream: ['text/event-stream'],
  audio: ['audio/mpeg', 'audio/wav'],
} as const satisfies Record<Answer['kind'], readonly string[]>;

/** Of a body alone. */
export function lowestStatus({ answers }: Wire): number {
  return Math.min(...Object.keys(answers).map(Number));
}

/** Operations tell their whole path; a surface is mounted under the beginning of it. */
export function toUrl({ prefix }: SurfaceApp, path: string): string {
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  throw new Error(`${path} is not under ${prefix}`);
}
