// What an event costs as its run grows, and what a run costs as the database does: flat, on both engines.
import type { RunId } from '../src/core/ids.ts';
import type { LeaseRef } from '../src/core/runs/run-store.ts';
import { type BenchPostgres, openBenchPostgres } from './support/bench-postgres.ts';
import { compareSides, measureInBlocks, type Side } from './support/blocks.ts';
import {
  type GrowthEngine,
  type GrowthPlace,
  onPostgres,
  SQLITE,
} from './support/growth/growth-engines.ts';
import {
  loadClaims,
  loadCounts,
  loadFollowed,
  loadLists,
  loadResumed,
  loadWhole,
  openLongRun,
} from './support/growth/growth-steps.ts';
import { loadHttp } from './support/http-load.ts';
import { readOptions } from './support/options.ts';
import { readResidentMegabytes } from './support/process-usage.ts';
import { judge, percent, printReport, type Row, whole } from './support/report.ts';
import { openServerProcess, type ServerProcess } from './support/server-process.ts';
import { makeThreeStepRun, THREE_STEPS } from './support/three-step-run.ts';

const { isQuick } = readOptions();
const rounds = isQuick ? 2 : 5;
const EVENTS = isQuick ? [1_000, 5_000] : [1_000, 10_000, 50_000];
const RUNS = isQuick ? [1_000, 20_000] : [1_000, 100_000, 1_000_000];
const blockMs = isQuick ? 300 : 1_000;
const STEPS = isQuick ? 30 : 100;
/** Flat is ± 10 %. */
const MIN_RATIO = 0.9;
const MAX_MEMORY = 1.2;

const rows: Row[] = [];
const figures: Record<string, number> = {};

/** Measures the same at each size; the smallest is the control of the others. */
async function compareSizes(
  what: string,
  sizes: readonly number[],
  load: (size: number, index: number) => Promise<number>,
): Promise<void> {
  const sides: Side[] = sizes.map((size, index) => ({
    name: whole(size),
    measure: () => load(size, index),
  }));
  const measured = await measureInBlocks(sides, rounds);
  const [control, ...others] = sides;
  if (!control) return;
  for (const side of others) {
    const comparison = compareSides(measured, side, control);
    const { ratio, lowest, highest, rate, controlRate, controlSpread } = comparison;
    rows.push({
      what: `${what}, ${side.name} / ${control.name}`,
      measured: ratio.toFixed(2),
      goal: `≥ ${MIN_RATIO}`,
      verdict: judge(comparison.isVoid, ratio >= MIN_RATIO),
      note:
        `${whole(rate)}/s against ${whole(controlRate)}/s; ratio ${lowest.toFixed(2)} to ${highest.toFixed(2)}, ` +
        `control ± ${percent(controlSpread / 2)}`,
    });
    figures[`${what}, ${side.name}`.toLowerCase().replace(/\W+/g, '_')] = ratio;
  }
}

async function measureEvents(engine: GrowthEngine): Promise<void> {
  const place = await engine.openPlace('events');
  const storage = await place.openStorage();
  const leases: LeaseRef[] = [];
  for (const events of EVENTS) leases.push(await openLongRun(storage, events));
  const leaseAt = (index: number) => {
    const lease = leases[index];
    if (!lease) throw new Error('no such run');
    return lease;
  };
  const { name } = engine;
  await compareSizes(`${name}: event appended and followed, events of its run`, EVENTS, (_, at) =>
    loadFollowed(storage, leaseAt(at), STEPS),
  );
  await compareSizes(`${name}: event of a page near the end, events of its run`, EVENTS, (_, at) =>
    loadResumed(storage, leaseAt(at).runId, STEPS),
  );
  await compareSizes(`${name}: event when a run is read whole, events of it`, EVENTS, (_, at) =>
    loadWhole(storage, leaseAt(at).runId),
  );
  await storage.close();
}

async function measureStores(engine: GrowthEngine, places: readonly GrowthPlace[]): Promise<void> {
  const stores = await Promise.all(places.map((place) => place.openStorage()));
  const storeAt = (index: number) => {
    const store = stores[index];
    if (!store) throw new Error('no such store');
    return store;
  };
  const { name } = engine;
  await compareSizes(`${name}: run queued, claimed and ended, runs there are`, RUNS, (_, at) =>
    loadClaims(storeAt(at), STEPS),
  );
  await compareSizes(`${name}: page of runs listed, runs there are`, RUNS, (size, at) =>
    loadLists(storeAt(at), STEPS, toSeededId(Math.ceil(size / 2))),
  );
  await compareSizes(`${name}: runs counted by status, runs there are`, RUNS, (_, at) =>
    loadCounts(storeAt(at), 10),
  );
  for (const store of stores) await store.close();
}

function toSeededId(no: number): RunId {
  return `run_${String(no).padStart(26, '0')}` as RunId;
}

async function measureServers(engine: GrowthEngine, places: readonly GrowthPlace[]): Promise<void> {
  const servers: ServerProcess[] = [];
  for (const { root, env } of places) {
    servers.push(await openServerProcess({ root, env, script: THREE_STEPS }));
  }
  const act = async (connection: Parameters<typeof makeThreeStepRun>[0]) => {
    await makeThreeStepRun(connection);
  };
  await compareSizes(
    `${engine.name}: 3-step run, one client, runs there are`,
    RUNS,
    async (_, at) => {
      const server = servers[at];
      if (!server) throw new Error('no such server');
      const load = { port: server.port, connections: 1, durationMs: blockMs, act, latenciesMs: [] };
      const rate = await loadHttp(load);
      await server.awaitQuiet();
      return rate;
    },
  );
  const [first = Number.NaN, ...others] = servers.map(({ pid }) => readResidentMegabytes(pid));
  const largest = others.at(-1) ?? Number.NaN;
  rows.push({
    what: `${engine.name}: memory of the server, ${whole(RUNS.at(-1) ?? 0)} / ${whole(RUNS[0] ?? 0)} runs`,
    measured: `${(largest / first).toFixed(2)} ×`,
    goal: `≤ ${MAX_MEMORY} ×`,
    verdict: judge(false, largest / first <= MAX_MEMORY),
    note: `${whole(largest)} MB against ${whole(first)} MB`,
  });
  for (const server of servers) await server.stop();
}

async function measureRuns(engine: GrowthEngine): Promise<void> {
  const places: GrowthPlace[] = [];
  for (const runs of RUNS) {
    const place = await engine.openPlace(`runs_${runs}`);
    const startedAt = performance.now();
    await place.seed(runs);
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`${engine.name}: ${whole(runs)} runs seeded in ${seconds.toFixed(0)} s`);
    places.push(place);
  }
  await measureStores(engine, places);
  await measureServers(engine, places);
}

async function openPostgres(): Promise<BenchPostgres | undefined> {
  try {
    return await openBenchPostgres();
  } catch (error) {
    console.log(`PostgreSQL is not measured: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

const postgres = await openPostgres();
for (const engine of [SQLITE, ...(postgres ? [onPostgres(postgres)] : [])]) {
  await measureEvents(engine);
  await measureRuns(engine);
}
await postgres?.stop();
printReport({ bench: 'growth', rows, figures });
