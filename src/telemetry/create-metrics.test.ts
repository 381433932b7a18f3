import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { CircuitBreakers } from '../core/reliability/breakers/circuit-breakers.ts';
import { createMetrics } from './create-metrics.ts';
import type { MetricsOptions } from './prometheus-metrics.ts';

function open(options: MetricsOptions = {}) {
  const metrics = createMetrics({ processMetrics: false, ...options });
  const samples = async (name: string) =>
    (await metrics.render())
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return { metrics, samples };
}

test('an ended run is counted by status and measured in seconds', async () => {
  const { metrics, samples } = open();

  metrics.runEnded('completed', 1500);
  metrics.runEnded('completed', 500);
  metrics.runEnded('failed', 10);

  expect(await samples('pincer_runs_ended_total')).toEqual([
    'pincer_runs_ended_total{status="completed"} 2',
    'pincer_runs_ended_total{status="failed"} 1',
  ]);
  expect(await samples('pincer_run_duration_seconds_sum')).toEqual([
    'pincer_run_duration_seconds_sum{status="completed"} 2',
    'pincer_run_duration_seconds_sum{status="failed"} 0.01',
  ]);
});

test('a model turn is counted with its tokens', async () => {
  const { metrics, samples } = open();

  metrics.modelTurn({ model: 'offline/rules', outcome: 'completed', durationMs: 100, tokens: 42 });
  metrics.modelTurn({ model: 'offline/rules', outcome: 'failed', durationMs: 100, tokens: 0 });

  expect(await samples('pincer_model_turns_total')).toEqual([
    'pincer_model_turns_total{model="offline/rules",outcome="completed"} 1',
    'pincer_model_turns_total{model="offline/rules",outcome="failed"} 1',
  ]);
  expect(await samples('pincer_model_tokens_total')).toEqual([
    'pincer_model_tokens_total{model="offline/rules"} 42',
  ]);
});

test('a tool call has the names of the contract', async () => {
  const { metrics, samples } = open();

  metrics.toolCall({ tool: 'fs.read', status: 'success', durationMs: 20 });

  expect(await samples('tool_execution_total')).toEqual([
    'tool_execution_total{tool="fs.read",status="success"} 1',
  ]);
  expect(await samples('tool_duration_seconds_sum')).toEqual([
    'tool_duration_seconds_sum{tool="fs.read"} 0.02',
  ]);
});

test('a circuit has a state from the first call of its tool on', async () => {
  const { metrics, samples } = open();
  const breakers = new CircuitBreakers({ clock: systemClock, observe: metrics.reliability });

  breakers.of('http.request');
  breakers.of('http.request');

  expect(await samples('circuit_breaker_state')).toEqual([
    'circuit_breaker_state{tool="http.request",state="closed"} 1',
    'circuit_breaker_state{tool="http.request",state="open"} 0',
    'circuit_breaker_state{tool="http.request",state="half_open"} 0',
    'circuit_breaker_state{tool="http.request",state="forced_open"} 0',
  ]);
});

test('an HTTP request is counted by surface, method and class of status', async () => {
  const { metrics, samples } = open();

  const request = { surface: 'v1', method: 'POST', route: '/v1/runs', status: 202, durationMs: 3 };
  metrics.httpRequest(request);
  metrics.httpRequest({ ...request, method: 'BREW', status: 405 });

  expect(await samples('pincer_http_requests_total')).toEqual([
    'pincer_http_requests_total{surface="v1",method="POST",status_class="2xx"} 1',
    'pincer_http_requests_total{surface="v1",method="other",status_class="4xx"} 1',
  ]);
  expect(await samples('pincer_http_request_duration_seconds_count')).toEqual([
    'pincer_http_request_duration_seconds_count{surface="v1",route="/v1/runs"} 2',
  ]);
});

test('open streams are a gauge', async () => {
  const { metrics, samples } = open();

  metrics.openStreams(3);
  metrics.openStreams(2);

  expect(await samples('pincer_streams_open')).toEqual(['pincer_streams_open 2']);
});

test('invented names share one series once there are too many', async () => {
  const { metrics, samples } = open({ maxLabelValues: 2 });

  for (let n = 0; n < 1000; n += 1) {
    metrics.toolCall({ tool: `made-up-${n}`, status: 'error', durationMs: 1 });
  }
  metrics.toolCall({ tool: 'x'.repeat(100_000), status: 'error', durationMs: 1 });

  expect(await samples('tool_execution_total')).toEqual([
    'tool_execution_total{tool="made-up-0",status="error"} 1',
    'tool_execution_total{tool="made-up-1",status="error"} 1',
    'tool_execution_total{tool="other",status="error"} 999',
  ]);
});

test('runs by status are asked for on each scrape', async () => {
  let queued = 0;
  const countRuns = async () => {
    queued += 1;
    return { queued, running: 0, waiting: 0, cancelling: 0, completed: 5, failed: 0, cancelled: 0 };
  };
  const { samples } = open({ countRuns });

  expect(await samples('pincer_runs')).toContain('pincer_runs{status="queued"} 1');
  expect(await samples('pincer_runs')).toEqual([
    'pincer_runs{status="queued"} 2',
    'pincer_runs{status="running"} 0',
    'pincer_runs{status="waiting"} 0',
    'pincer_runs{status="cancelling"} 0',
    'pincer_runs{status="completed"} 5',
    'pincer_runs{status="failed"} 0',
    'pincer_runs{status="cancelled"} 0',
  ]);
});

test('a scrape goes on when the store does not answer', async () => {
  const failing = open({ countRuns: () => Promise.reject(new Error('down')) });
  failing.metrics.openStreams(1);

  expect(await failing.samples('pincer_runs')).toEqual([]);
  expect(await failing.samples('pincer_streams_open')).toEqual(['pincer_streams_open 1']);
});

test('the process is measured too, and two servers in one process do not mix', async () => {
  const first = open({ processMetrics: true });
  const second = open({ processMetrics: true });

  first.metrics.openStreams(9);

  expect(await second.samples('pincer_streams_open')).toEqual(['pincer_streams_open 0']);
  expect(await second.samples('nodejs_eventloop_lag_seconds')).toHaveLength(1);
  expect(await second.samples('process_resident_memory_bytes')).toHaveLength(1);
});

test('nothing measured before the client is loaded is lost, nor after', async () => {
  const { metrics, samples } = open();

  for (let n = 0; n < 2500; n += 1)
    metrics.toolCall({ tool: 'x', status: 'success', durationMs: 1 });
  expect(await samples('tool_execution_total')).toEqual([
    'tool_execution_total{tool="x",status="success"} 2500',
  ]);
  metrics.toolCall({ tool: 'x', status: 'success', durationMs: 1 });

  expect(await samples('tool_execution_total')).toEqual([
    'tool_execution_total{tool="x",status="success"} 2501',
  ]);
});

test('a server that has closed loads nothing any more', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const metrics = createMetrics();

  await metrics.close();

  expect(vi.getTimerCount()).toBe(0);
});
