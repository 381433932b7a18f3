// A durable run of three tool steps, from POST to result, against the events that SQLite can commit at all; with peers
// also against the same on DBOS and Restate, and ours on PostgreSQL.
import { loadAppends } from './support/append-load.ts';
import { type BenchPostgres, openBenchPostgres } from './support/bench-postgres.ts';
import { compareSides, measureInBlocks, type Side } from './support/blocks.ts';
import { openRawSqlite } from './support/group-commit.ts';
import { readOptions } from './support/options.ts';
import { openRunPeers } from './support/peers/run-peers.ts';
import { limitRow, printReport, ratioRow, whole } from './support/report.ts';
import { singleRow, timesRow } from './support/run-rows.ts';
import { CLIENTS, createRunSides, type RunTarget } from './support/run-sides.ts';
import { openServerProcess, type ServerProcess } from './support/server-process.ts';
import { median, percentile } from './support/statistics.ts';
import { makeThreeStepRun, THREE_STEPS } from './support/three-step-run.ts';

const { isQuick, peersDir } = readOptions();
const blockMs = isQuick ? 700 : 2_000;
const rounds = isQuick ? 2 : 5;
const eventCounts: number[] = [];

function toTarget(name: string, server: ServerProcess): RunTarget {
  return {
    name,
    port: server.port,
    awaitQuiet: () => server.awaitQuiet(),
    async makeRun(connection) {
      eventCounts.push(await makeThreeStepRun(connection));
    },
  };
}

const control: Side = {
  name: 'raw SQLite events per run',
  async measure() {
    const load = { open: openRawSqlite, writers: 256, durationMs: blockMs / 2 };
    const eventsPerSecond = await loadAppends({ ...load, latenciesMs: [], stallsMs: [] });
    return eventsPerSecond / (median(eventCounts) || 1);
  },
};

async function openPostgres(): Promise<BenchPostgres | undefined> {
  try {
    return await openBenchPostgres();
  } catch (error) {
    console.log(
      `nothing is measured on PostgreSQL: ${error instanceof Error ? error.message : error}`,
    );
    return undefined;
  }
}

const server = await openServerProcess({ script: THREE_STEPS });
const ours = createRunSides(toTarget('ours', server), blockMs);
const postgres = peersDir === undefined ? undefined : await openPostgres();
const onPostgres =
  postgres &&
  (await openServerProcess({
    script: THREE_STEPS,
    env: { DATABASE_URL: await postgres.createDatabase('ours') },
  }));
const oursOnPostgres =
  onPostgres && createRunSides(toTarget('ours on PostgreSQL', onPostgres), blockMs);
const running =
  peersDir === undefined
    ? []
    : await openRunPeers(peersDir, await postgres?.createDatabase('dbos'));
const peers = running.map((peer) => createRunSides(peer, blockMs));

// Events per run must be known before the control can be counted in runs.
await ours.one.measure();
ours.one.latenciesMs.length = 0;
const all = [ours, ...(oursOnPostgres ? [oursOnPostgres] : []), ...peers];
const figures = await measureInBlocks(
  [control, ...all.map(({ many }) => many), ...all.map(({ one }) => one)],
  rounds,
);
for (const peer of running) await peer.stop();
await server.stop();
await onPostgres?.stop();
await postgres?.stop();

const single = compareSides(figures, ours.one, control);
const full = compareSides(figures, ours.many, control);
const p50Ms = percentile(ours.one.latenciesMs, 50);
const eventsPerRun = median(eventCounts);
/** How many times as fast as each peer we want to be. */
const GOALS: Readonly<Record<string, number>> = { Restate: 4, DBOS: 7 };
const GOALS_ON_POSTGRES: Readonly<Record<string, number>> = { DBOS: 4 };
printReport({
  bench: 'run',
  rows: [
    limitRow('3-step run, HTTP in to result, one client, p50', p50Ms, {
      unit: 'ms',
      max: 2.5,
      isVoid: single.isVoid,
      note: `p99 ${percentile(ours.one.latenciesMs, 99).toFixed(2)} ms; ${eventsPerRun} events per run`,
    }),
    limitRow(`3-step run latency p50, ${CLIENTS} clients`, percentile(ours.many.latenciesMs, 50), {
      unit: 'ms',
      note: `p99 ${percentile(ours.many.latenciesMs, 99).toFixed(1)} ms`,
    }),
    ratioRow(`3-step runs / raw SQLite, ${CLIENTS} clients`, full),
    {
      what: `3-step runs per second, ${CLIENTS} clients`,
      measured: `${whole(full.rate)}/s`,
      goal: '-',
      verdict: '-',
      note: `${whole(full.rate * eventsPerRun)} events/s; one client ${whole(single.rate)} runs/s`,
    },
    ...peers.map((peer) => timesRow(figures, { ours, peer, goal: GOALS[peer.target.name] })),
    ...(oursOnPostgres
      ? peers.map((peer) =>
          timesRow(figures, {
            ours: oursOnPostgres,
            peer,
            goal: GOALS_ON_POSTGRES[peer.target.name],
          }),
        )
      : []),
    ...(peers.length === 0 ? [] : [singleRow(figures, ours, peers)]),
    ...(oursOnPostgres && peers.length > 0 ? [singleRow(figures, oursOnPostgres, peers)] : []),
  ],
  figures: {
    one_client_p50_ms: p50Ms,
    runs_per_second: full.rate,
    events_per_run: eventsPerRun,
    ratio: full.ratio,
    control_spread: full.controlSpread,
    ...Object.fromEntries(
      all.flatMap(({ target, one, many }) => {
        const name = target.name.toLowerCase().replaceAll(' ', '_');
        return [
          [`${name}_runs_per_second`, median(figures.get(many) ?? [])],
          [`${name}_one_client_p50_ms`, percentile(one.latenciesMs, 50)],
        ];
      }),
    ),
  },
});
