import type { MetricsOptions, ServerMetrics } from './prometheus-metrics.ts';

/** A server is up before anybody scrapes it, so the client is not loaded on its way up. */
const LOAD_AFTER_MS = 2_000;
const MAX_PENDING = 1_000;

/** Metrics of a server that may close: what it has not loaded by then it does not load any more. */
export interface ClosableMetrics extends ServerMetrics {
  close(): Promise<void>;
}

/** Measures from the first call on; the Prometheus client is loaded after the start, at the first scrape or under load. */
export function createMetrics(options: MetricsOptions = {}): ClosableMetrics {
  // Grows past its limit only while the client is being loaded, which is a moment.
  let pending: ((metrics: ServerMetrics) => void)[] = [];
  let loaded: ServerMetrics | undefined;
  let loading: Promise<ServerMetrics> | undefined;
  let isClosed = false;

  async function startLoading(): Promise<ServerMetrics> {
    const { createPrometheusMetrics } = await import('./prometheus-metrics.ts');
    const metrics = await createPrometheusMetrics(options);
    for (const replay of pending) replay(metrics);
    pending = [];
    loaded = metrics;
    return metrics;
  }
  function load(): Promise<ServerMetrics> {
    loading ??= startLoading();
    return loading;
  }
  function record(measurement: (metrics: ServerMetrics) => void): void {
    if (loaded !== undefined) {
      measurement(loaded);
      return;
    }
    if (isClosed) return;
    pending.push(measurement);
    // A failure shows at the next scrape, which waits for the same promise.
    if (pending.length === MAX_PENDING) load().catch(() => {});
  }
  const timer = setTimeout(() => {
    load().catch(() => {});
  }, LOAD_AFTER_MS).unref();

  return {
    runEnded: (status, durationMs) => record((metrics) => metrics.runEnded(status, durationMs)),
    modelTurn: (turn) => record((metrics) => metrics.modelTurn(turn)),
    toolCall: (call) => record((metrics) => metrics.toolCall(call)),
    reliability: (event) => record((metrics) => metrics.reliability(event)),
    httpRequest: (request) => record((metrics) => metrics.httpRequest(request)),
    openStreams: (count) => record((metrics) => metrics.openStreams(count)),
    render: async () => (await load()).render(),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await loading?.catch(() => {});
    },
  };
}
