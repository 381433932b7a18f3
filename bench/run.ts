// A durable run of three tool steps, from POST to result, against the events that SQLite can commit at all.
import { loadAppends } from './support/append-load.ts';
import { compareInBlocks, type Side } from './support/blocks.ts';
import { openRawSqlite } from './support/group-commit.ts';
import { encodeRequest, type HttpConnection } from './support/http-connection.ts';
import { loadHttp } from './support/http-load.ts';
import { readOptions } from './support/options.ts';
import { limitRow, printReport, ratioRow, whole } from './support/report.ts';
import { openServerProcess, TOKEN } from './support/server-process.ts';
import { median, percentile } from './support/statistics.ts';

const { isQuick } = readOptions();
const blockMs = isQuick ? 700 : 2_000;
const rounds = isQuick ? 2 : 5;
const CLIENTS = 64;

const usage = { inputTokens: 400, outputTokens: 40 };
const STEPS = [
  { text: 'First the time.', toolCalls: [{ tool: 'time.now' }], usage },
  { text: 'Then the files.', toolCalls: [{ tool: 'fs.list', input: { path: '.' } }], usage },
  { text: 'And the time again.', toolCalls: [{ tool: 'time.now' }], usage },
  { text: 'Both are done: the time was read twice and the files were listed.', usage },
];

const server = await openServerProcess({ script: STEPS });
const post = encodeRequest({
  method: 'POST',
  path: '/v1/runs',
  token: TOKEN,
  body: JSON.stringify({ agent_id: 'agent_default', message: 'Tell me the time and the files.' }),
});
const eventCounts: number[] = [];

/** Two requests: the run is accepted, then its events are followed to the one that holds the result. */
async function makeRun(connection: HttpConnection): Promise<void> {
  const accepted = await connection.send(post);
  const { id } = JSON.parse(accepted.body) as { id: string };
  const path = `/v1/runs/${id}/events`;
  const stream = await connection.send(encodeRequest({ method: 'GET', path, token: TOKEN }));
  if (!stream.body.includes('event_type":"run.completed"')) {
    throw new Error(`run ${id} did not complete: ${stream.status} ${stream.body.slice(-400)}`);
  }
  eventCounts.push(stream.body.split('\ndata: ').length - 1);
}

function createSide(name: string, connections: number): { side: Side; latenciesMs: number[] } {
  const latenciesMs: number[] = [];
  const load = { port: server.port, connections, durationMs: blockMs, act: makeRun, latenciesMs };
  const side = {
    name,
    async measure() {
      const rate = await loadHttp(load);
      await server.awaitQuiet();
      return rate;
    },
  };
  return { side, latenciesMs };
}

const control: Side = {
  name: 'raw SQLite events per run',
  async measure() {
    const load = { open: openRawSqlite, writers: 256, durationMs: blockMs / 2 };
    const eventsPerSecond = await loadAppends({ ...load, latenciesMs: [], stallsMs: [] });
    return eventsPerSecond / (median(eventCounts) || 1);
  },
};
const one = createSide('one client', 1);
const many = createSide(`${CLIENTS} clients`, CLIENTS);
// Events per run must be known before the control can be counted in runs.
await one.side.measure();
one.latenciesMs.length = 0;
const [single, full] = await compareInBlocks(control, [one.side, many.side], rounds);
await server.stop();
if (!single || !full) throw new Error('nothing was compared');

const p50Ms = percentile(one.latenciesMs, 50);
const eventsPerRun = median(eventCounts);
printReport({
  bench: 'run',
  rows: [
    limitRow('3-step run, HTTP in to result, one client, p50', p50Ms, {
      unit: 'ms',
      max: 2.5,
      isVoid: single.isVoid,
      note: `p99 ${percentile(one.latenciesMs, 99).toFixed(2)} ms; ${eventsPerRun} events per run`,
    }),
    limitRow(`3-step run latency p50, ${CLIENTS} clients`, percentile(many.latenciesMs, 50), {
      unit: 'ms',
      note: `p99 ${percentile(many.latenciesMs, 99).toFixed(1)} ms`,
    }),
    ratioRow(`3-step runs / raw SQLite, ${CLIENTS} clients`, full),
    {
      what: `3-step runs per second, ${CLIENTS} clients`,
      measured: `${whole(full.rate)}/s`,
      goal: '-',
      verdict: '-',
      note: `${whole(full.rate * eventsPerRun)} events/s; one client ${whole(single.rate)} runs/s`,
    },
  ],
  figures: {
    one_client_p50_ms: p50Ms,
    runs_per_second: full.rate,
    events_per_run: eventsPerRun,
    ratio: full.ratio,
    control_spread: full.controlSpread,
  },
});
