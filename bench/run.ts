// A durable run of three tool steps, from POST to result, against the events that SQLite can commit at all.
import { loadAppends } from './support/append-load.ts';
import { compareInBlocks, type Side } from './support/blocks.ts';
import { openRawSqlite } from './support/group-commit.ts';
import type { HttpConnection } from './support/http-connection.ts';
import { loadHttp } from './support/http-load.ts';
import { readOptions } from './support/options.ts';
import { limitRow, printReport, ratioRow, whole } from './support/report.ts';
import { openServerProcess } from './support/server-process.ts';
import { median, percentile } from './support/statistics.ts';
import { makeThreeStepRun, THREE_STEPS } from './support/three-step-run.ts';

const { isQuick } = readOptions();
const blockMs = isQuick ? 700 : 2_000;
const rounds = isQuick ? 2 : 5;
const CLIENTS = 64;

const server = await openServerProcess({ script: THREE_STEPS });
const eventCounts: number[] = [];

async function makeRun(connection: HttpConnection): Promise<void> {
  eventCounts.push(await makeThreeStepRun(connection));
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
