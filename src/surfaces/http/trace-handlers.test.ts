import { type FastifyInstance, fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { RuntimeError } from '../../core/errors.ts';
import { noTracer, SPANS, type SpanAttributes, type Tracer } from '../../core/telemetry.ts';
import type { TraceContext } from '../../core/trace-context.ts';
import { traceHandlers } from './trace-handlers.ts';

interface SeenSpan {
  readonly name: string;
  readonly caller: TraceContext | undefined;
  readonly attributes: SpanAttributes;
}

function createTracer(spans: SeenSpan[]): Tracer {
  let caller: TraceContext | undefined;
  return {
    continueTrace(given, work) {
      caller = given;
      const result = work();
      caller = undefined;
      return result;
    },
    async span(name, attributes, work) {
      const seen = { name, caller, attributes };
      spans.push(seen);
      return work({
        set: (more) => Object.assign(seen, { attributes: { ...attributes, ...more } }),
      });
    },
  };
}

function openApp(tracer: Tracer): FastifyInstance {
  const app = fastify({ genReqId: () => 'req_1' });
  onTestFinished(() => app.close());
  traceHandlers(app, tracer, { name: 'v1', encodeError: () => ({ status: 404, body: {} }) });
  app.get('/things/:id', async (_request, reply) => reply.code(203).send({}));
  app.get('/streams/:id', { config: { span: SPANS.stream } }, async () => ({}));
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
  const app = openApp(createTracer(spans));

  await app.inject('/things/7');
  await app.inject('/faults/7');

  expect(spans).toEqual([
    {
      name: 'GET /things/:id',
      caller: undefined,
      attributes: {
        ...attributes,
        'http.route': '/things/:id',
        'http.response.status_code': 203,
      },
    },
    {
      name: 'GET /faults/:id',
      caller: undefined,
      attributes: {
        ...attributes,
        'http.route': '/faults/:id',
        'http.response.status_code': 404,
      },
    },
  ]);
});

test("hangs the span below the caller's own, and tells what else the caller sent", async () => {
  const spans: SeenSpan[] = [];
  const app = openApp(createTracer(spans));
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const headers = { traceparent, tracestate: 'vendor=1', 'x-request-id': 'req-7' };

  await app.inject({ url: '/things/7', headers });
  await app.inject({ url: '/things/7', headers: { traceparent: 'nonsense' } });

  expect(spans.map((span) => span.caller)).toEqual([
    { traceparent, tracestate: 'vendor=1', requestId: 'req-7' },
    undefined,
  ]);
});

test('a route that the contract has a span for opens it below its own', async () => {
  const spans: SeenSpan[] = [];

  await openApp(createTracer(spans)).inject('/streams/7');

  expect(spans.map((span) => span.name)).toEqual(['GET /streams/:id', 'runtime.stream']);
});

test('where no spans are made, the trace of a caller still reaches what it causes', async () => {
  const callers: TraceContext[] = [];
  const tracer: Tracer = {
    span: noTracer.span,
    continueTrace(caller, work) {
      callers.push(caller);
      return work();
    },
  };
  const app = openApp(tracer);

  const plain = await app.inject('/things/7');
  const traced = await app.inject({ url: '/things/7', headers: { 'x-request-id': 'req-7' } });

  expect([plain.statusCode, traced.statusCode]).toEqual([203, 203]);
  expect(callers).toEqual([{ requestId: 'req-7' }]);
});
