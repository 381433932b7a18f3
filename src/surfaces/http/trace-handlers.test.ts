import { type FastifyInstance, fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { RuntimeError } from '../../core/errors.ts';
import type { SpanAttributes, Tracer } from '../../core/telemetry.ts';
import { traceHandlers } from './trace-handlers.ts';

interface SeenSpan {
  readonly name: string;
  readonly traceparent: string | undefined;
  readonly attributes: SpanAttributes;
}

function openApp(spans: SeenSpan[]): FastifyInstance {
  let caller: string | undefined;
  const tracer: Tracer = {
    continueTrace(traceparent, work) {
      caller = traceparent;
      return work();
    },
    async span(name, attributes, work) {
      const seen = { name, traceparent: caller, attributes };
      spans.push(seen);
      return work({
        set: (more) => Object.assign(seen, { attributes: { ...attributes, ...more } }),
      });
    },
  };
  const app = fastify({ genReqId: () => 'req_1' });
  onTestFinished(() => app.close());
  traceHandlers(app, tracer, { name: 'v1', encodeError: () => ({ status: 404, body: {} }) });
  app.get('/things/:id', async (_request, reply) => reply.code(203).send({}));
  app.get('/faults/:id', async () => {
    throw new RuntimeError('not_found', 'no such fault');
  });
  return app;
}

const attributes = {
  'http.request.method': 'GET',
  'pincer.surface': 'v1',
  'pincer.request_id': 'req_1',
};

test('puts a span around a handler, named by its route and ended with its status', async () => {
  const spans: SeenSpan[] = [];
  const app = openApp(spans);

  await app.inject('/things/7');
  await app.inject('/faults/7');

  expect(spans).toEqual([
    {
      name: 'GET /things/:id',
      traceparent: undefined,
      attributes: {
        ...attributes,
        'http.route': '/things/:id',
        'http.response.status_code': 203,
      },
    },
    {
      name: 'GET /faults/:id',
      traceparent: undefined,
      attributes: {
        ...attributes,
        'http.route': '/faults/:id',
        'http.response.status_code': 404,
      },
    },
  ]);
});

test("hangs the span below the caller's own", async () => {
  const spans: SeenSpan[] = [];
  const app = openApp(spans);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  await app.inject({ url: '/things/7', headers: { traceparent } });

  expect(spans.map((span) => span.traceparent)).toEqual([traceparent]);
});
