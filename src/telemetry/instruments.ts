import type { Registry } from 'prom-client';

export type PrometheusClient = typeof import('prom-client');

const REQUEST_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
const TOOL_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900];
const TURN_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 90, 180];
const RUN_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1200, 3600];

export type Instruments = ReturnType<typeof createInstruments>;

/** Every counter, histogram and gauge of ours. Names are a contract with people's dashboards. */
export function createInstruments(client: PrometheusClient, registry: Registry) {
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[]) =>
    new client.Counter({ name, help, labelNames, registers });
  const seconds = (name: string, help: string, by: { labels: string[]; buckets: number[] }) =>
    new client.Histogram({ name, help, labelNames: by.labels, buckets: by.buckets, registers });
  return {
    runsEnded: counter('pincer_runs_ended_total', 'Runs that ended, by status.', ['status']),
    runSeconds: seconds('pincer_run_duration_seconds', 'From start to end of a run.', {
      labels: ['status'],
      buckets: RUN_SECONDS,
    }),
    turns: counter('pincer_model_turns_total', 'Model turns, by outcome.', ['model', 'outcome']),
    turnSeconds: seconds('pincer_model_turn_duration_seconds', 'Length of a model turn.', {
      labels: ['model'],
      buckets: TURN_SECONDS,
    }),
    tokens: counter('pincer_model_tokens_total', 'Tokens that model turns used.', ['model']),
    toolCalls: counter('tool_execution_total', 'Tool calls, by status.', ['tool', 'status']),
    toolSeconds: seconds('tool_duration_seconds', 'Length of a tool call.', {
      labels: ['tool'],
      buckets: TOOL_SECONDS,
    }),
    circuitState: new client.Gauge({
      name: 'circuit_breaker_state',
      help: 'One for the state that a circuit is in, zero for the others.',
      labelNames: ['tool', 'state'],
      registers,
    }),
    circuitTransitions: counter('circuit_breaker_transitions_total', 'Changes of a circuit.', [
      'tool',
      'from_state',
      'to_state',
    ]),
    cacheHits: counter('idempotency_cache_hits_total', 'Calls answered from an earlier one.', [
      'tool',
    ]),
    retries: counter('tool_retries_total', 'Attempts after the first.', ['tool']),
    requests: counter('pincer_http_requests_total', 'HTTP requests answered.', [
      'surface',
      'method',
      'status_class',
    ]),
    requestSeconds: seconds(
      'pincer_http_request_duration_seconds',
      'From request to the end of its answer; for a stream, its life.',
      { labels: ['surface', 'route'], buckets: REQUEST_SECONDS },
    ),
    streams: new client.Gauge({
      name: 'pincer_streams_open',
      help: 'Open event streams.',
      registers,
    }),
  };
}
