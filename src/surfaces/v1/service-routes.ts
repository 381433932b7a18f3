import { z } from 'zod';
import { noQuery } from '../../operations/fields.ts';
import { answer, errorAnswers, SECURITY } from '../http/answers/answers.ts';
import type { Authenticate, SurfaceApp, SurfaceKit } from '../http/surface.ts';
import { DOCS_POLICY, renderDocsPage } from './docs-page.ts';
import { health, welcome } from './service-schema.ts';
import { WELCOME } from './welcome.ts';

export interface ServiceDeps {
  /** Throws `storage_unavailable` when the engine can't serve. */
  ping(): Promise<void>;
  /** Prometheus text. */
  readonly metrics: { render(): Promise<string> };
  readonly metricsPublic: boolean;
  /** For pages that a browser opens: also takes HTTP Basic. */
  readonly authenticateBrowser: Authenticate;
}

const TAGS = ['service'];
const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function addServiceRoutes(app: SurfaceApp, kit: SurfaceKit, deps: ServiceDeps): void {
  addWelcomeRoute(app);
  app.get(
    '/healthz',
    {
      config: { authenticate: 'public', quiet: true },
      schema: {
        summary: 'Is the server able to serve?',
        description:
          'Whether the store can be read and written. Answers within about two seconds. Needs no token.',
        tags: TAGS,
        querystring: noQuery,
        response: { 200: answer('It is.', health), ...errorAnswers(400, 403, 503) },
      },
    },
    async (_request, reply) => {
      await deps.ping();
      return reply.send({ ok: true });
    },
  );

  app.get(
    '/metrics',
    {
      config: { quiet: true, ...(deps.metricsPublic ? { authenticate: 'public' } : {}) },
      schema: {
        summary: 'Metrics for Prometheus',
        description:
          'Text exposition format. The configuration can open it to callers without a token.',
        tags: TAGS,
        ...(deps.metricsPublic ? {} : { security: SECURITY.operator }),
        querystring: noQuery,
        response: {
          200: textAnswer('The metrics.', 'text/plain'),
          ...errorAnswers(400, 401, 403, 429, 500),
        },
      },
    },
    async (_request, reply) => reply.type(PROMETHEUS_TYPE).send(await deps.metrics.render()),
  );

  addDocumentRoutes(app, kit, deps);
}

function addWelcomeRoute(app: SurfaceApp): void {
  app.get(
    '/',
    {
      config: { authenticate: 'public', quiet: true },
      schema: {
        summary: 'The way in',
        description:
          'Browsers are sent to the dashboard; everybody else is told where things are. Needs no token.',
        tags: TAGS,
        querystring: noQuery,
        response: {
          200: answer('Where things are.', welcome),
          302: textAnswer('To the dashboard.', 'text/plain'),
          ...errorAnswers(400, 403),
        },
      },
    },
    async (request, reply) => {
      reply.header('vary', 'accept');
      if (!request.headers.accept?.includes('text/html')) return reply.send(WELCOME);
      return reply.redirect(WELCOME.dashboard);
    },
  );
}

function addDocumentRoutes(app: SurfaceApp, kit: SurfaceKit, deps: ServiceDeps): void {
  const config = { authenticate: deps.authenticateBrowser };

  app.get(
    '/openapi.json',
    {
      config,
      schema: {
        summary: 'This interface as an OpenAPI 3.1 document',
        description: 'Made from the schemas that requests are validated with.',
        tags: TAGS,
        security: SECURITY.page,
        querystring: noQuery,
        response: {
          200: answer('The document.', z.record(z.string(), z.unknown())),
          ...errorAnswers(400, 401, 403, 429, 500),
        },
      },
    },
    async (_request, reply) => reply.send(await kit.openApi()),
  );

  app.get(
    '/docs',
    {
      config,
      schema: {
        summary: 'This interface as a page',
        description: 'A browser asks for a password: any user name, and the token.',
        tags: TAGS,
        security: SECURITY.page,
        querystring: noQuery,
        response: {
          200: textAnswer('The page.', 'text/html'),
          ...errorAnswers(400, 401, 403, 429, 500),
        },
      },
    },
    async (_request, reply) => {
      const page = renderDocsPage(await kit.openApi());
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', DOCS_POLICY)
        .send(page);
    },
  );
}

function textAnswer(description: string, mediaType: string) {
  return { description, content: { [mediaType]: { schema: z.string() } } };
}
