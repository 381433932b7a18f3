import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RuntimeError } from '../core/errors.ts';
import { type LogFields, type Logger, silentLogger } from '../core/log.ts';
import { isRecording, SPANS, type Tracer } from '../core/telemetry.ts';
import type { TraceContext } from '../core/trace-context.ts';
import { openTracer } from './open-tracer.ts';

interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code: number; message?: string };
  attributes: { key: string; value: Record<string, unknown> }[];
}

let collector: Server;
let endpoint: string;
let requests: { path: string; headers: Record<string, unknown>; body: string }[];

beforeEach(async () => {
  requests = [];
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint);
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=claws');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
});

const OPTIONS = {
  enabled: true,
  serviceName: 'pincer',
  serviceVersion: '1.2.3',
  logger: silentLogger,
};

async function exportSpans(work: (tracer: Tracer) => Promise<unknown>): Promise<OtlpSpan[]> {
  const { tracer, shutdown } = await openTracer(OPTIONS);
  await work(tracer).catch(() => {});
  await shutdown();
  return requests.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: OtlpSpan[] }[] }) =>
      resource.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
}

const attributesOf = (span: OtlpSpan | undefined) =>
  Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
  );

test('spans nest by asynchronous call: request, run, model turn, tool call', async () => {
  const spans = await exportSpans((tracer) =>
    tracer.span('request', {}, () =>
      tracer.span('run', {}, async () => {
        await tracer.span(SPANS.infer, {}, async () => {});
        await Promise.all([
          tracer.span(SPANS.tool, { tool: 'fs.read' }, async () => {}),
          tracer.span(SPANS.tool, { tool: 'fs.list' }, async () => {}),
        ]);
      }),
    ),
  );

  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = (span: OtlpSpan): string => {
    const parent = byId.get(span.parentSpanId ?? '');
    return parent ? `${pathOf(parent)} > ${span.name}` : span.name;
  };
  expect(spans.map(pathOf).toSorted()).toEqual([
    'request',
    'request > run',
    'request > run > runtime.infer',
    'request > run > runtime.tool',
    'request > run > runtime.tool',
  ]);
  expect(new Set(spans.map((span) => span.traceId)).size).toBe(1);
});

test('unrelated work has traces of its own', async () => {
  const spans = await exportSpans((tracer) =>
    Promise.all(['a', 'b'].map((name) => tracer.span(name, {}, async () => {}))),
  );

  expect(new Set(spans.map((span) => span.traceId)).size).toBe(2);
  expect(spans.every((span) => !span.parentSpanId)).toBe(true);
});

test.each<[name: string, traceparent: string | undefined, isJoined: boolean]>([
  ['a traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, true],
  ['one of a later version', `01-${'a'.repeat(32)}-${'b'.repeat(16)}-01-more`, true],
  ['no traceparent', undefined, false],
  ['a forbidden version', `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, false],
  ['zeros', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, false],
  ['capitals', `00-${'A'.repeat(32)}-${'B'.repeat(16)}-01`, false],
  ['nonsense', 'x'.repeat(10_000), false],
])("joins the caller's trace by %s", async (_name, traceparent, isJoined) => {
  const [span] = await exportSpans((tracer) =>
    tracer.continueTrace(traceparent === undefined ? {} : { traceparent }, () =>
      tracer.span('request', {}, async () => {}),
    ),
  );

  expect(span?.traceId === 'a'.repeat(32)).toBe(isJoined);
  expect(span?.parentSpanId || undefined).toBe(isJoined ? 'b'.repeat(16) : undefined);
});

test('a caller that does not sample its trace is not sampled here', async () => {
  const spans = await exportSpans((tracer) =>
    tracer.continueTrace({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` }, () =>
      tracer.span('request', {}, async () => {}),
    ),
  );

  expect(spans).toEqual([]);
});

test.each([
  ['grpc', 1],
  ['http/protobuf', 1],
  ['http/json', 0],
  [undefined, 0],
])('the protocol %s is warned about %i times', async (protocol, count) => {
  const warnings: LogFields[] = [];
  const logger: Logger = { ...silentLogger, warn: (fields) => warnings.push(fields) };

  const { tracer, shutdown } = await openTracer({ ...OPTIONS, logger, protocol });
  await tracer.span('a', {}, async () => {});
  await tracer.span('b', {}, async () => {});
  await shutdown();

  expect(warnings).toEqual(
    Array.from({ length: count }, () => ({ asked: protocol, used: 'http/json' })),
  );
});

test('attributes given at the start and later are exported, and results pass through', async () => {
  let result: number | undefined;
  const [span] = await exportSpans(async (tracer) => {
    result = await tracer.span('run', { 'run.id': 'run_1', resumed: false }, async (open) => {
      open.set({ status: 'completed', turns: 3 });
      return 7;
    });
  });

  expect(result).toBe(7);
  expect(attributesOf(span)).toEqual({
    'run.id': 'run_1',
    resumed: false,
    status: 'completed',
    turns: 3,
  });
});

test('a failure marks its span and passes through; an unknown message stays inside', async () => {
  const fail = (error: Error) => (tracer: Tracer) =>
    tracer.span('x', {}, async () => {
      throw error;
    });

  const [ours, unknown] = await exportSpans(async (tracer) => {
    await expect(fail(new RuntimeError('timeout', 'too slow'))(tracer)).rejects.toThrow('too slow');
    await expect(fail(new TypeError('sk-secret'))(tracer)).rejects.toThrow('sk-secret');
  });

  expect(ours?.status).toEqual({ code: 2, message: 'too slow' });
  expect(attributesOf(ours)).toEqual({ 'error.type': 'timeout' });
  expect(unknown?.status).toEqual({ code: 2 });
  expect(attributesOf(unknown)).toEqual({ 'error.type': 'TypeError' });
  expect(JSON.stringify(requests)).not.toContain('sk-secret');
});

test('the exporter follows the standard variables', async () => {
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test');

  await exportSpans((tracer) => tracer.span('x', {}, async () => {}));

  expect(requests[0]?.path).toBe('/v1/traces');
  expect(requests[0]?.headers).toMatchObject({
    'x-tenant': 'claws',
    'content-type': 'application/json',
  });
  const resource = attributesOf(JSON.parse(requests[0]?.body ?? '').resourceSpans[0].resource);
  expect(resource).toMatchObject({
    'service.name': 'pincer',
    'service.version': '1.2.3',
    'deployment.environment.name': 'test',
  });
});

test('a collector that is away costs one warning and a bounded shutdown', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:1');
  const warnings: { fields: LogFields; message: string }[] = [];
  const logger: Logger = {
    ...silentLogger,
    warn: (fields, message) => warnings.push({ fields, message }),
  };
  const { tracer, shutdown } = await openTracer({ ...OPTIONS, logger, shutdownMs: 100 });
  await tracer.span('x', {}, async () => {});
  const startedAt = performance.now();

  await shutdown();

  // The exporter by itself goes on trying for seconds.
  expect(performance.now() - startedAt).toBeLessThan(1500);
  expect(warnings.length).toBeGreaterThan(0);
  expect(warnings.length).toBeLessThanOrEqual(2);
});

test('without a collector nothing is loaded', async () => {
  const { tracer } = await openTracer({ ...OPTIONS, enabled: false });
  expect(isRecording(tracer)).toBe(false);

  const module = fileURLToPath(new URL('./open-tracer.ts', import.meta.url));
  const script = `
    const { openTracer } = await import(${JSON.stringify(module)});
    const { createRequire } = await import('node:module');
    const count = () =>
      Object.keys(createRequire(${JSON.stringify(module)}).cache).filter((path) => path.includes('opentelemetry')).length;
    await openTracer({ enabled: false });
    const unset = count();
    await openTracer({ enabled: true, serviceName: 'x', logger: {} });
    console.log(unset, count() > 0);
  `;
  const output = execFileSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script],
    { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' },
  );
  expect(output).toBe('0 true\n');
});

test('the trace that a caller is in can be sent on, and outside of one there is none', async () => {
  let inside: TraceContext | undefined;
  let outside: TraceContext | undefined;

  const spans = await exportSpans(async (tracer) => {
    outside = tracer.current?.();
    await tracer.span(SPANS.tool, {}, async () => {
      inside = tracer.current?.();
    });
  });

  expect(inside).toEqual({ traceparent: `00-${spans[0]?.traceId}-${spans[0]?.spanId}-01` });
  expect(outside).toBeUndefined();
});

test('state and request id of a caller travel with its trace, below every span', async () => {
  let inside: TraceContext | undefined;
  const caller = {
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    tracestate: 'vendor=1,other=2',
    requestId: 'req-7',
  };

  const spans = await exportSpans((tracer) =>
    tracer.continueTrace(caller, () =>
      tracer.span(SPANS.ingest, {}, () =>
        tracer.span(SPANS.tool, {}, async () => {
          inside = tracer.current?.();
        }),
      ),
    ),
  );

  const tool = spans.find(({ name }) => name === SPANS.tool);
  expect(inside).toEqual({
    traceparent: `00-${'a'.repeat(32)}-${tool?.spanId}-01`,
    tracestate: 'vendor=1,other=2',
    requestId: 'req-7',
  });
});

test("without a collector a caller's trace is still handed on, through everything asynchronous", async () => {
  const { tracer } = await openTracer({ ...OPTIONS, enabled: false });
  const caller = {
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    tracestate: 'vendor=1',
    requestId: 'req-7',
  };
  const look = () =>
    tracer.span(SPANS.tool, {}, async () => {
      await new Promise(setImmediate);
      return tracer.current?.();
    });

  const seen = await Promise.all([
    tracer.continueTrace(caller, look),
    tracer.continueTrace({ traceparent: 'nonsense' }, look),
    look(),
  ]);

  expect(seen).toEqual([caller, undefined, undefined]);
});
