import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { SpanAttributes, Tracer } from '../../core/telemetry.ts';
import { traceHandlers } from './trace-handlers.ts';

test('puts a span around a handler, named by its route and ended with its status', async () => {
  const spans: { name: string; attributes: SpanAttributes }[] = [];
  const tracer: Tracer = {
    async span(name, attributes, work) {
      const seen = { name, attributes };
      spans.push(seen);
      return work({
        set: (more) => Object.assign(seen, { attributes: { ...attributes, ...more } }),
      });
    },
  };
  const app = fastify({ genReqId: () => 'req_1' });
  onTestFinished(() => app.close());
  traceHandlers(app, tracer, 'v1');
  app.get('/things/:id', async (_request, reply) => reply.code(203).send({}));

  await app.inject('/things/7');

  expect(spans).toEqual([
    {
      name: 'GET /things/:id',
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/things/:id',
        'pincer.surface': 'v1',
        'pincer.request_id': 'req_1',
        'http.response.status_code': 203,
      },
    },
  ]);
});
