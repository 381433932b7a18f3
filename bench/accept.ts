// POST /v1/runs, durable before its 202, against a bare echo of the same body.
import { compareInBlocks, type Side } from './support/blocks.ts';
import { encodeRequest } from './support/http-connection.ts';
import { loadHttp } from './support/http-load.ts';
import { readOptions } from './support/options.ts';
import { limitRow, printReport, ratioRow } from './support/report.ts';
import { openEchoServer, openServerProcess, TOKEN } from './support/server-process.ts';
import { percentile } from './support/statistics.ts';

const { isQuick } = readOptions();
const blockMs = isQuick ? 500 : 2_000;
const rounds = isQuick ? 2 : 5;
const CONNECTIONS = 64;

const message = 'Summarize the repository status and list the files that changed. '.repeat(3);
const request = encodeRequest({
  method: 'POST',
  path: '/v1/runs',
  token: TOKEN,
  body: JSON.stringify({ agent_id: 'agent_default', message: message.trim() }),
});

/**
 * One run may execute, and its model never answers: every run after the first is accepted and waits. So accepting is
 * measured and not executing; audit lines are written meanwhile, as always.
 */
const server = await openServerProcess({
  config: {
    engine: { max_concurrent_runs: 1, max_queued_runs: 1_000_000, shutdown_grace_ms: 0 },
  },
  script: [{ hang: true }],
});
const echo = await openEchoServer();

function createSide(name: string, port: number, afterwards?: () => Promise<void>) {
  const latenciesMs: number[] = [];
  const side: Side = {
    name,
    async measure() {
      const rate = await loadHttp({
        port,
        connections: CONNECTIONS,
        durationMs: blockMs,
        latenciesMs,
        async act(connection) {
          const { status, body } = await connection.send(request);
          if (status !== 202) throw new Error(`${name} answered ${status}: ${body}`);
        },
      });
      await afterwards?.();
      return rate;
    },
  };
  return { side, latenciesMs };
}

const control = createSide('node:http echo', echo.port);
const ours = createSide('POST /v1/runs', server.port, () => server.awaitQuiet());
const [comparison] = await compareInBlocks(control.side, [ours.side], rounds);
await server.stop();
await echo.stop();
if (!comparison) throw new Error('nothing was compared');

const p99Ms = percentile(ours.latenciesMs, 99);
printReport({
  bench: 'accept',
  rows: [
    ratioRow(`POST /v1/runs / node:http echo, ${CONNECTIONS} connections`, comparison, 0.35),
    limitRow(`accept latency p99, ${CONNECTIONS} connections`, p99Ms, {
      unit: 'ms',
      max: 50,
      isVoid: comparison.isVoid,
      note: `p50 ${percentile(ours.latenciesMs, 50).toFixed(2)} ms; echo p99 ${percentile(control.latenciesMs, 99).toFixed(2)} ms`,
    }),
  ],
  figures: {
    ratio: comparison.ratio,
    accepts_per_second: comparison.rate,
    echoes_per_second: comparison.controlRate,
    control_spread: comparison.controlSpread,
    p99_ms: p99Ms,
  },
});
