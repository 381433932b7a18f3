import type { Registry } from 'prom-client';
import type { RunStatus } from '../core/runs/run.ts';
import type { Metrics } from '../core/telemetry.ts';
import { createInstruments, type PrometheusClient } from './instruments.ts';
import { createLabelBound, OTHER_LABEL } from './label-bound.ts';
import { measureReliability } from './measure-reliability.ts';

export interface ServerMetrics extends Metrics {
  httpRequest(request: HttpRequestMeasurement): void;
  openStreams(count: number): void;
  /** The text that Prometheus scrapes. */
  render(): Promise<string>;
}

interface HttpRequestMeasurement {
  readonly surface: string;
  readonly method: string;
  /** A pattern such as `/v1/runs/:id`, never a path. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

export interface MetricsOptions {
  /** Asked on every scrape. When it fails or hangs, the scrape goes on without it. */
  readonly countRuns?: () => Promise<Readonly<Record<RunStatus, number>>>;
  /** Distinct values per label before the rest becomes `other`. */
  readonly maxLabelValues?: number;
  /** Process and Node.js metrics; on unless said otherwise. */
  readonly processMetrics?: boolean;
}

const MAX_LABEL_VALUES = 200;
const COUNT_RUNS_TIMEOUT_MS = 2_000;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Loads the Prometheus client. */
export async function createPrometheusMetrics(options: MetricsOptions): Promise<ServerMetrics> {
  const client = await import('prom-client');
  const registry = new client.Registry();
  const instruments = createInstruments(client, registry);
  const bound = () => createLabelBound(options.maxLabelValues ?? MAX_LABEL_VALUES);
  const [tool, model, surface, route] = [bound(), bound(), bound(), bound()];
  const [runStatus, turnOutcome, toolStatus] = [bound(), bound(), bound()];
  if (options.countRuns !== undefined) gaugeRuns(client, registry, options.countRuns);
  if (options.processMetrics !== false) client.collectDefaultMetrics({ register: registry });

  return {
    runEnded(status, durationMs) {
      const label = { status: runStatus(status) };
      instruments.runsEnded.inc(label);
      instruments.runSeconds.observe(label, durationMs / 1000);
    },
    modelTurn(turn) {
      const label = { model: model(turn.model) };
      instruments.turns.inc({ ...label, outcome: turnOutcome(turn.outcome) });
      instruments.turnSeconds.observe(label, turn.durationMs / 1000);
      instruments.tokens.inc(label, turn.tokens);
    },
    toolCall(call) {
      const label = { tool: tool(call.tool) };
      instruments.toolCalls.inc({ ...label, status: toolStatus(call.status) });
      instruments.toolSeconds.observe(label, call.durationMs / 1000);
    },
    reliability: (event) => measureReliability(instruments, tool, event),
    httpRequest({ method, status, durationMs, ...request }) {
      const label = { surface: surface(request.surface) };
      const known = METHODS.has(method) ? method : OTHER_LABEL;
      const statusClass = `${Math.floor(status / 100)}xx`;
      instruments.requests.inc({ ...label, method: known, status_class: statusClass });
      instruments.requestSeconds.observe(
        { ...label, route: route(request.route) },
        durationMs / 1000,
      );
    },
    openStreams: (count) => instruments.streams.set(count),
    render: () => registry.metrics(),
  };
}

function gaugeRuns(
  client: PrometheusClient,
  registry: Registry,
  countRuns: NonNullable<MetricsOptions['countRuns']>,
): void {
  new client.Gauge({
    name: 'pincer_runs',
    help: 'Runs in the store, by status.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = await withinMs(COUNT_RUNS_TIMEOUT_MS, countRuns()).catch(() => undefined);
      for (const [status, count] of Object.entries(counts ?? {})) this.set({ status }, count);
    },
  });
}

/** Undefined when the work takes longer; it is not waited for then. */
async function withinMs<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
